/** The server's timeouts in a soak, in milliseconds: short, so that they expire within the run. */
export const limits = {
  headers: 3000,
  request: 6000,
  idle: 15_000,
  stall: 5000,
} as const
