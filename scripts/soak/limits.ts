/** How long the server waits in a soak, in milliseconds: short, so that what it cuts off is cut off within the run. */
export const limits = {
  headers: 3000,
  request: 6000,
  idle: 15_000,
  stall: 5000,
} as const
