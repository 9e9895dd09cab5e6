// The YAML of one queue: how its tasks are taken and what runs them. Which project it is on a board is not in here.
import { agentPattern, FabricError, type QueueRules } from "@agap/kb-client";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { duration } from "./duration.ts";

const llmExecutor = z.strictObject({
  kind: z.literal("llm"),
  /** A model name of LiteLLM, never an endpoint. */
  model: z.string().min(1),
  system: z.string().default("You are a helpful assistant. Answer the task below."),
  maxTokens: z.int().min(1).max(1_000_000).default(1024),
  /** Longest a whole call may take. */
  deadline: duration.default(600_000),
  /** Longest wait for the first token, which includes loading the model. */
  firstToken: duration.default(120_000),
  /** Longest gap between two tokens. */
  idle: duration.default(60_000),
  maxAnswerBytes: z.int().min(1024).default(1_048_576),
});

/** Does nothing and answers at once; measures the queue itself. */
const noopExecutor = z.strictObject({ kind: z.literal("noop") });

export const queueConfig = z.strictObject({
  queue: z.string().regex(agentPattern, "1 to 20 of a-z 0-9 . _ - starting with a letter or digit"),
  executor: z.discriminatedUnion("kind", [llmExecutor, noopExecutor]),
  /** Tasks that one worker runs at the same time. */
  slots: z.int().min(1).max(64).default(1),
  lease: duration.default(60_000),
  poll: z
    .strictObject({
      /** Pause while work flows. */
      busy: duration.default(1000),
      /** Longest pause while the queue is empty. */
      idle: duration.default(30_000),
    })
    .prefault({}),
  maxAttempts: z.int().min(1).max(20).default(3),
  retryDelay: duration.default(30_000),
  requireScore: z.boolean().default(false),
  /** Columns whose new cards are taken: Ready alone, or Backlog too. */
  intake: z.array(z.enum(["ready", "backlog"])).default(["ready"]),
  takeOrder: z.array(z.int().min(0).max(3)).default([1, 2, 0, 3]),
  /** How long running work may go on after its worker was told to stop; then it is handed back. */
  grace: duration.default(20_000),
  /** Pause before a model that could not be reached is tried again; doubled up to `longest`. */
  unavailable: z
    .strictObject({ first: duration.default(15_000), longest: duration.default(900_000) })
    .prefault({}),
});

export type QueueConfig = z.output<typeof queueConfig>;

/** @throws FabricError `CONFIG_INVALID` naming each wrong field */
export function parseQueueConfig(text: string, from: string): QueueConfig {
  return parseConfig(queueConfig, text, from);
}

export function parseConfig<S extends z.ZodType>(
  schema: S,
  text: string,
  from: string,
): z.output<S> {
  let data: unknown;
  try {
    data = parseYaml(text);
  } catch (cause) {
    throw invalid(from, String(cause), cause);
  }
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw invalid(from, z.prettifyError(parsed.error), parsed.error);
  return parsed.data;
}

function invalid(from: string, what: string, cause: unknown): FabricError {
  return new FabricError(`${from} is not valid:\n${what}`, {
    code: "CONFIG_INVALID",
    retryable: "no",
    hint: `Correct ${from} and start again.`,
    cause,
  });
}

export function rulesOf(config: QueueConfig): QueueRules {
  return {
    leaseMs: config.lease,
    maxAttempts: config.maxAttempts,
    retryDelayMs: config.retryDelay,
    requireScore: config.requireScore,
    intake: config.intake,
    takeOrder: config.takeOrder,
  };
}
