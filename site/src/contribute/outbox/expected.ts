import type { ObservationKind } from '@openfountain/core/status'
import { anonymous, waypointIdOf, type Submission } from './submission.ts'

/** The expected status of a fountain until the server has the observation: the shape of the API's `status`. */
export const expected = (kind: ObservationKind, day: string): Readonly<Record<string, unknown>> =>
  kind === 'works'
    ? { state: 'works', since: day, lastConfirmed: day, supporters: 1 }
    : { state: 'reported', since: day, supporters: 1 }

/** The expected status of a queued observation, with its fountain; undefined for other submissions. */
export function expectedStatus(
  submission: Submission,
): { readonly id: number; readonly status: unknown } | undefined {
  const id = waypointIdOf(submission)
  if (submission.kind !== 'observation' || id === undefined) return undefined
  const { kind, observedAt } = submission.body as {
    readonly kind: ObservationKind
    readonly observedAt: string
  }
  if (kind === 'works' && submission.by === anonymous) return undefined
  return { id, status: expected(kind, observedAt) }
}
