import type { Rules } from '@openfountain/core'
import { fill, type Format, type Messages } from '../messages.ts'
import { Badge } from '../ui/badge.tsx'

const icons: Readonly<Record<string, string>> = {
  createWaypoint: 'created',
  editWaypoint: 'edited',
  postReview: 'star',
  postObservation: 'works',
  waypointVerified: 'verified',
}

/** The events of the rules that earn XP, with their words in one language. */
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

export interface EarningsProps {
  readonly words: EarningWords
  readonly format: Format
  /** The address of the drawings. */
  readonly icons: string
  /** The XP of the reader; without it the XP that is needed is shown. */
  readonly xp?: number | undefined
}

/** What earns XP, and the XP that it needs. */
export const Earnings = ({ words, format, icons: drawings, xp }: EarningsProps) => (
  <div class="table-wrap">
    <table class="table earnings">
      <thead>
        <tr>
          <th scope="col">{words.event}</th>
          <th scope="col" class="number">
            {words.unit}
          </th>
          <th scope="col" class="number">
            {words.needs}
          </th>
        </tr>
      </thead>
      <tbody>
        {words.rows.map(({ name, label, icon, earns, needs }) => (
          <tr key={name}>
            <th scope="row">
              <span class="row-name">
                <svg class="icon" aria-hidden="true">
                  <use href={`${drawings}#${icon}`} />
                </svg>
                {label}
              </span>
            </th>
            <td class="number strong">+{format.number(earns)}</td>
            <td class="number">
              {xp === undefined ? (
                needs === 0 ? (
                  words.none
                ) : (
                  format.number(needs)
                )
              ) : (
                <Badge tone={needs > xp ? undefined : 'verified'}>
                  {needs > xp ? fill(words.more, { xp: format.number(needs - xp) }) : words.can}
                </Badge>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** What somebody with this XP may do to earn more, in a sentence. */
export const waysToEarn = ({ rows, title, amount }: EarningWords, format: Format, xp: number): string => {
  const ways = rows.filter(({ earns, needs }) => earns > 0 && needs <= xp)
  const named = ways.map(({ label, earns }) => `${label} (+${fill(amount, { xp: format.number(earns) })})`)
  return `${title}: ${named.join('; ')}.`
}
