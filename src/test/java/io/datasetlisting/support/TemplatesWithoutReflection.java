package io.datasetlisting.support;

import java.util.concurrent.CompletionStage;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.qute.EngineBuilder;
import io.quarkus.qute.EvalContext;
import io.quarkus.qute.TemplateException;
import io.quarkus.qute.ValueResolver;

/**
 * Makes a template fail where it would read a property of a class of the service by reflection. A native executable has no
 * reflection for these classes, so each page of a test shows that the resolvers of the build know all properties that the page
 * names.
 */
@Singleton
class TemplatesWithoutReflection implements ValueResolver {

    /** Below the resolvers that the build generates, and above Qute's reflection, which has -1. */
    private static final int PRIORITY = 0;

    void configure(@Observes EngineBuilder builder) {
        builder.addValueResolver(this);
    }

    @Override
    public int getPriority() {
        return PRIORITY;
    }

    @Override
    public boolean appliesTo(EvalContext context) {
        return context.getBase() != null && context.getBase().getClass().getName().startsWith("io.datasetlisting.");
    }

    @Override
    public CompletionStage<Object> resolve(EvalContext context) {
        throw new TemplateException("No generated resolver knows " + context.getName() + " of "
                + context.getBase().getClass().getName() + ": annotate the class with @TemplateData");
    }
}
