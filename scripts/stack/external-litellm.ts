// A LiteLLM that somebody else runs: does it answer, is it a safe release, and has it the model.
import { z } from "zod";
import { refuseCompromised } from "./compromised.ts";
import type { Progress } from "./progress.ts";
import { EXIT, Stop } from "./stop.ts";

const readiness = z.object({ litellm_version: z.string().optional() });
const models = z.object({ data: z.array(z.object({ id: z.string() })) });

/** @throws Stop naming the models that are there when the wanted one is not */
export async function checkExternalLiteLLM(
  given: { url: string; key: string; model: string },
  progress: Progress,
): Promise<void> {
  const { url, key, model } = given;
  const ready = readiness.safeParse(await ask(`${url}/health/readiness`, key));
  const version = ready.success ? ready.data.litellm_version : undefined;
  refuseCompromised(version ?? null);
  const list = models.safeParse(await ask(`${url}/v1/models`, key));
  if (!list.success)
    throw new Stop(EXIT.unreachable, `${url} does not answer like a LiteLLM proxy`, [
      "Give the address without /v1.",
    ]);
  const names = list.data.data.map((entry) => entry.id);
  if (!names.includes(model)) {
    throw new Stop(EXIT.unreachable, `the LiteLLM at ${url} has no model ${model} for this key`, [
      `It has: ${names.join(", ") || "none"}.`,
    ]);
  }
  progress.say(`  LiteLLM ${version ?? ""} at ${url} has ${model}`);
}

async function ask(url: string, key: string): Promise<unknown> {
  let reply: Response;
  try {
    reply = await fetch(url, {
      headers: { authorization: `Bearer ${key}` },
      redirect: "error",
      signal: AbortSignal.timeout(15_000),
    });
  } catch (cause) {
    throw new Stop(
      EXIT.unreachable,
      `the LiteLLM at ${url} does not answer`,
      [String(cause)],
      cause,
    );
  }
  if (!reply.ok) {
    const advice =
      reply.status === 401 || reply.status === 400 || reply.status === 500
        ? "Check the key."
        : "Give the address without /v1.";
    throw new Stop(EXIT.unreachable, `${url} answers ${reply.status}`, [advice]);
  }
  return reply.json().catch(() => null);
}
