import type { Rules } from '@openfountain/core'
import { fill, type Format, type Messages } from './messages.ts'

const icons: Readonly<Record<string, string>> = {
  createWaypoint: 'created',
  editWaypoint: 'edited',
  postReview: 'star',
  postObservation: 'works',
  addPhoto: 'photo',
  waypointVerified: 'verified',
}

export type EarningWords = ReturnType<typeof earningWords>

/** The same, the lowest gate first. */
export function earningWords({ rules, outbox }: Pick<Messages, 'rules' | 'outbox'>, { xp, gates }: Rules) {
  const [earned, needed] = [xp, gates].map((amounts) => new Map<string, number>(Object.entries(amounts)))
  const { earn, event, xp: unit, needs, none } = rules
  const { can, needs: more, xp: amount } = outbox.contributions
  return {
    title: earn,
    event,
    unit,
    needs,
    none,
    can,
    more,
    amount,
    rows: Object.entries(rules.events)
      .map(([name, label]) => ({
        name,
        label,
        icon: icons[name] ?? 'trophy',
        earns: earned?.get(name) ?? 0,
        needs: needed?.get(name) ?? 0,
      }))
      .toSorted((one, other) => one.needs - other.needs),
  }
}

export const waysToEarn = ({ rows, title, amount }: EarningWords, format: Format, xp: number): string => {
  const ways = rows.filter(({ earns, needs }) => earns > 0 && needs <= xp)
  const named = ways.map(({ label, earns }) => `${label} (+${fill(amount, { xp: format.number(earns) })})`)
  return `${title}: ${named.join('; ')}.`
}
