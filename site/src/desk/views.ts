/** What waits for moderators, in the order in which the desk shows it. */
export const queueKinds = ['reported', 'unapproved', 'bursts', 'duplicates', 'unverified'] as const
export type QueueKind = (typeof queueKinds)[number]

/** What the desk shows: a queue, a search, or a file of a doubtful import. */
export const deskViews = [...queueKinds, 'find', 'imports'] as const
export type DeskView = (typeof deskViews)[number]
