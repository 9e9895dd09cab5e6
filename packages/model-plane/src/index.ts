// The model plane: calls to LiteLLM and what their errors mean.
export * from "./chat.ts";
export * from "./model-error.ts";
