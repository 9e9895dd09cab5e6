// The model plane: calls to LiteLLM and what their errors mean.
export { chat, type ChatAnswer, type ChatRequest } from "./chat.ts";
export { classify, type HttpFailure } from "./classify.ts";
export type { ModelDoor } from "./door.ts";
export { ModelError, type ModelFault } from "./model-error.ts";
export { probe } from "./probe.ts";
