import type { EarningWords } from '../earnings.ts'
import { fill, type Format } from '../messages.ts'
import { Badge } from '../ui/badge.tsx'

export interface EarningsProps {
  readonly words: EarningWords
  readonly format: Format
  readonly icons: string
  readonly xp?: number | undefined
}

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
              ) : needs > xp ? (
                <Badge>{fill(words.more, { xp: format.number(needs - xp) })}</Badge>
              ) : (
                <>
                  <svg class="icon is-verified" aria-hidden="true">
                    <use href={`${drawings}#works`} />
                  </svg>
                  <span class="visually-hidden">{words.can}</span>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
