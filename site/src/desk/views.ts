/** The moderation queues, in the desk's order. */
export const queueKinds = ['reported', 'unapproved', 'bursts', 'duplicates', 'unverified'] as const
export type QueueKind = (typeof queueKinds)[number]

/** The views of the desk: a queue, a search, or a review file of an import. */
export const deskViews = [...queueKinds, 'find', 'imports'] as const
export type DeskView = (typeof deskViews)[number]
