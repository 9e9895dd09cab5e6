// Which of Kanboard's methods only read, told by their names: the transport knows nothing else of a request.
const reading = /^(?:get|search|is|download)[A-Z]/;

function isReadMethod(method: string): boolean {
  return reading.test(method);
}

/** Did some element that the failing one followed write? The failing element itself was refused. */
export function mayHaveWrittenBefore(requests: readonly { method: string }[]): boolean {
  return requests.slice(0, -1).some(({ method }) => !isReadMethod(method));
}

export function mayHaveWritten(requests: readonly { method: string }[]): boolean {
  return requests.some(({ method }) => !isReadMethod(method));
}
