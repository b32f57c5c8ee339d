package io.datasetlisting.faces.web;

import java.util.Base64;

import io.datasetlisting.base.ClassPathFile;
import io.datasetlisting.base.Sha256;

/**
 * A style or a script that each page with the frame contains, so that its text is shown before any other file is here.
 *
 * @param source
 *            names it in the Content-Security-Policy, which allows no other one
 */
public record InlinePart(String text, String source) {

    public static final InlinePart STYLE = of(ClassPathFile.code("/web/first.css")
            .replaceAll("\\s*([{};,])\\s*", "$1").replace(": ", ":"));
    public static final InlinePart SCRIPT = of(ClassPathFile.code("/web/first.js"));

    private static InlinePart of(String text) {
        return new InlinePart(text, "'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(text)) + "'");
    }
}
