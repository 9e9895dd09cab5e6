// A bare HTTP loop that sends recorded requests again, in order, at the concurrency at which they were made.
import { Agent, request } from "node:http";

export interface RecordedRequest {
  /** Which of the concurrent loops sent it. */
  lane: number;
  body: string;
  authorization: string;
}

/** @returns milliseconds for all of them */
export async function replay(url: string, requests: readonly RecordedRequest[]): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const lanes = new Map<number, RecordedRequest[]>();
  for (const recorded of requests) {
    const lane = lanes.get(recorded.lane);
    if (lane) lane.push(recorded);
    else lanes.set(recorded.lane, [recorded]);
  }
  const started = performance.now();
  await Promise.all(
    [...lanes.values()].map(async (lane) => {
      for (const recorded of lane) await post(url, agent, recorded);
    }),
  );
  agent.destroy();
  return performance.now() - started;
}

function post(url: string, agent: Agent, { body, authorization }: RecordedRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}/jsonrpc.php`,
      {
        method: "POST",
        agent,
        headers: {
          authorization,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        },
      },
      (answer) => {
        answer.resume();
        answer.on("end", resolve);
        answer.on("error", reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
