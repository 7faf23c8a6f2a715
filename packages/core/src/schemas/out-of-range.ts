/** Marks an issue as a coordinate out of range, which has its own error code. */
export const outOfRange = { coordinates: true } as const
