import type { ObservationKind } from '@openfountain/core/status'
import { nobody, waypointIdOf, type Act } from './act.ts'

/** What a page shows of a fountain until the server has what somebody saw there: the shape of the API's `status`. */
export const expected = (kind: ObservationKind, day: string): Readonly<Record<string, unknown>> =>
  kind === 'works'
    ? { state: 'works', since: day, lastConfirmed: day, supporters: 1 }
    : { state: 'reported', since: day, supporters: 1 }

/** What waits of somebody who saw something, with the fountain; undefined for any other act. */
export function seenBy(act: Act): { readonly id: number; readonly status: unknown } | undefined {
  const id = waypointIdOf(act)
  if (act.kind !== 'observation' || id === undefined) return undefined
  const { kind, observedAt } = act.body as { readonly kind: ObservationKind; readonly observedAt: string }
  if (kind === 'works' && act.by === nobody) return undefined
  return { id, status: expected(kind, observedAt) }
}
