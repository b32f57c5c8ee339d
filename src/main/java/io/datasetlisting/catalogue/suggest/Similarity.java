package io.datasetlisting.catalogue.suggest;

/** Says how much two words differ. */
final class Similarity {

    private static final int LONG = 8;
    private static final int SHORT = 4;

    private Similarity() {
    }

    /** So many mistakes are likely in a word. With more of them, it would be similar to too many words. */
    static int likelyMistakes(String word) {
        return word.length() > LONG ? 3 : word.length() > SHORT ? 2 : word.length() > 2 ? 1 : 0;
    }

    /**
     * The characters that must be inserted, removed, replaced or swapped with their neighbour (the distance of Damerau and
     * Levenshtein).
     *
     * @return a number above max if there are more
     */
    static int mistakes(String typed, String word, int max) {
        if (Math.abs(typed.length() - word.length()) > max) {
            return max + 1;
        }
        int[] before = new int[word.length() + 1];
        int[] last = new int[word.length() + 1];
        int[] row = new int[word.length() + 1];
        for (int j = 0; j < row.length; j++) {
            last[j] = j;
        }
        for (int i = 1; i <= typed.length(); i++) {
            row[0] = i;
            int least = i;
            for (int j = 1; j < row.length; j++) {
                boolean isSame = typed.charAt(i - 1) == word.charAt(j - 1);
                int mistakes = Math.min(last[j - 1] + (isSame ? 0 : 1), 1 + Math.min(last[j], row[j - 1]));
                if (i > 1 && j > 1 && typed.charAt(i - 1) == word.charAt(j - 2)
                        && typed.charAt(i - 2) == word.charAt(j - 1)) {
                    mistakes = Math.min(mistakes, before[j - 2] + 1);
                }
                row[j] = mistakes;
                least = Math.min(least, mistakes);
            }
            if (least > max) {
                return max + 1;
            }
            int[] free = before;
            before = last;
            last = row;
            row = free;
        }
        return last[word.length()];
    }
}
