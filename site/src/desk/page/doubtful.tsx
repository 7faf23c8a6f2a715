import type { QueueItem } from '@openfountain/core'
import type { DecidedRow, DoubtfulRow, RowDecision } from '@openfountain/core/internal'
import { send } from '../../api/once.ts'
import { fill } from '../../messages.ts'
import type { Act, Done } from './act.tsx'
import { desk, fieldName, format, fountainName, labelled, valueText, words } from './config.ts'
import { keys } from './keys.tsx'
import { comparison, fountainHead, named, surroundings, textsOf } from './parts.tsx'

const { imports } = desk

/** The decisions about a row of an import, each with the key of its counterpart for fountains. */
export const decisions = {
  same: { label: imports.same, key: keys.merge },
  new: { label: imports.fresh, key: keys.approve },
  skip: { label: imports.skip, key: keys.revert },
} as const

const decideRows = (ids: readonly number[], decision: RowDecision['decision']) =>
  send<{ rows: readonly DecidedRow[] }>('POST', '/moderation/doubtful', {
    decisions: ids.map((id) => ({ id, decision })),
  })

/** Decides rows. Only `skip` can be undone. */
async function decided(rows: readonly DoubtfulRow[], decision: keyof typeof decisions): Promise<Done> {
  const { rows: outcomes } = await decideRows(
    rows.map(({ id }) => id),
    decision,
  )
  const refused = outcomes.flatMap(({ error }) => error ?? [])
  const [first] = refused
  const ids = outcomes.flatMap(({ id, error }) => (error ? [] : [id]))
  const said = [
    labelled(
      decisions[decision].label,
      rows.length === 1
        ? format.isolate(fountainName(rows[0] ?? { name: '' }))
        : format.count(desk.did.rows, ids.length),
    ),
    ...(first ? [fill(desk.rowsRefused, { n: format.number(refused.length), why: first.message })] : []),
  ].join(' · ')
  return { said, ...(decision === 'skip' && { undo: () => decideRows(ids, 'open') }) }
}

function actOn(together: () => readonly QueueItem[], decision: keyof typeof decisions): Act {
  const rows = () => together().flatMap(({ row }) => row ?? [])
  return {
    ...decisions[decision],
    async work() {
      const chosen = rows()
      if (chosen.length === 1) return decided(chosen, decision)
      const { label } = decisions[decision]
      return {
        label,
        question: { text: format.count(desk.selected, chosen.length) },
        work: () => decided(chosen, decision),
      }
    },
  }
}

/** The panel of a doubtful row: the row beside the fountain that it may be, and both on the map. */
export function doubtfulPanel(
  { waypoint: here }: QueueItem,
  row: DoubtfulRow,
  together: () => readonly QueueItem[],
) {
  const fields: Readonly<Record<string, unknown>> = { ...row }
  const shown = Object.keys(words.field).filter(
    (field) => field in fields && !['latitude', 'longitude'].includes(field),
  )
  const inFile = {
    title: row.source,
    values: {
      [words.waypoint.position]: `${row.latitude}, ${row.longitude}`,
      ...Object.fromEntries(shown.map((field) => [fieldName(field), valueText(field, fields[field])])),
    },
  }
  const names = (['same', 'new', 'skip'] as const).filter((name) => here || name !== 'same')
  return {
    title: named(fountainName(row)),
    acts: names.map((name, index) => ({ ...actOn(together, name), isMain: index === 0 })),
    head: here && fountainHead(here),
    content: (
      <>
        {here
          ? comparison(imports.decide, inFile, {
              title: imports.here,
              values: Object.fromEntries(textsOf(here)),
            })
          : comparison(imports.decide, inFile)}
        {here && surroundings(row, [here])}
      </>
    ),
  }
}
