// Rules of stylelint for the style sheets of the pages. .ci/run copies this file to the folder of the linters.
export default {
  extends: 'stylelint-config-standard',
  rules: {
    'custom-property-empty-line-before': null,
    // Browsers of 2022 do not know the other notation.
    'media-feature-range-notation': 'prefix',
    // The sheet is in the order of the page: rules of different parts, which no element matches together, would have to move.
    'no-descending-specificity': null,
  },
};
