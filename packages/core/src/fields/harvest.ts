import { count, fields, when } from './field.ts'

/** The time from one harvest of a source to the next; with `never` only when somebody asks for it. */
export const intervals = ['hour', 'day', 'week', 'month', 'never'] as const
export type Interval = (typeof intervals)[number]

/** The outcome of a harvest: `stopped` is an import that would have taken away or taken back more than it may. */
export const harvestOutcomes = ['imported', 'unchanged', 'stopped', 'failed'] as const
export type HarvestOutcome = (typeof harvestOutcomes)[number]

/**
 * Why a harvest failed or stopped. `address` leads where it may not, `answer` has the status of an error, `size` is too much,
 * `pages` do not follow one another, `file` cannot be read; `shrink`, `older` and `partial` as for imports; `secret` is not in
 * the environment, `interrupted` had no end, and `registry` could not be written.
 */
export const harvestReasons = [
  ...(['unreachable', 'address', 'answer', 'size', 'pages', 'file'] as const),
  ...(['shrink', 'older', 'partial', 'secret', 'interrupted', 'registry'] as const),
] as const
export type HarvestReason = (typeof harvestReasons)[number]

export const harvestFields = fields({
  startedAt: { ...when, meaning: 'When it began, UTC' },
  endedAt: { ...when, meaning: 'When it ended, UTC' },
  outcome: {
    type: 'choice',
    values: harvestOutcomes,
    setBy: 'nobody',
    meaning: '`imported`, `unchanged` since the last one, `stopped` before it wrote, or `failed`',
  },
  reason: {
    type: 'choice',
    values: harvestReasons,
    optional: true,
    setBy: 'nobody',
    meaning: 'Why it stopped or failed',
  },
  status: { ...count, optional: true, meaning: 'The HTTP status of the answer' },
  read: { ...count, meaning: 'Rows that were read' },
  added: { ...count, meaning: 'New waypoints' },
  changed: { ...count, meaning: 'Changed waypoints' },
  missing: { ...count, meaning: 'Waypoints that it no longer lists, marked or removed' },
  refused: { ...count, meaning: 'Rows that were refused' },
})
