import type { Leased } from '../log/nouns.ts'
import { minutesAfter } from '../secrets.ts'

export const isLeased = ({ leaseUntil }: Leased, at: string): boolean =>
  leaseUntil !== undefined && leaseUntil > at

export const taken = <Work extends Leased>(work: Work, lease: string, at: string, minutes: number) => ({
  ...work,
  lease,
  leasedAt: at,
  leaseUntil: minutesAfter(at, minutes),
})

export const renewed = <Work extends Leased>(work: Work, at: string, minutes: number) => ({
  ...work,
  leaseUntil: minutesAfter(at, minutes),
})

export function freed<Work extends Leased>(work: Work): Omit<Work, keyof Leased> {
  const { lease: _lease, leasedAt: _since, leaseUntil: _until, ...free } = work
  return free
}
