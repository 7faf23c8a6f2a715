import type { LogEntry } from '@openfountain/core'
import { fill } from '../../messages.ts'
import { desk, format, labelled, moment, words } from './config.ts'
import { button, element, named } from './element.ts'
import { fieldName } from './fountain.ts'
import { panelOf, type Panel, type Setting } from './panel.ts'
import { personName, type Profile } from './people.ts'
import { blockPerson, revertPerson, unblockPerson } from './person-actions.ts'
import { read } from './send.ts'
import { revertEntry } from './waypoint-actions.ts'
import type { Occasion } from './waypoint-panel.ts'

const shownEntries = 50

/** A person's profile and last changes, with the moderator's acts. @throws Refusal */
export async function personPanel(
  person: Profile,
  setting: Setting,
  { why, before = [], actions = [], person: concerned }: Occasion = {},
): Promise<Panel> {
  const { id, level, xp, createdAt } = person
  const { logs } = await read<{ logs: readonly LogEntry[] }>(
    `/logs?userId=${encodeURIComponent(id)}&limit=${shownEntries}`,
  )
  const name = personName(person)
  const one = {
    id,
    ...('name' in person && { name: person.name }),
    since: concerned?.since ?? dayOf(logs[0]?.timestamp),
  }
  const facts = [
    fill(desk.xp, { level: format.number(level), xp: format.number(xp) }),
    fill(desk.joined, { date: format.date(createdAt) }),
    fill(desk.person, { id: format.isolate(id) }),
  ]
  return panelOf(
    named(name),
    [
      ...actions,
      { label: desk.revertPerson, key: 'r', isMain: true, run: () => void revertPerson(setting, one) },
      { label: desk.block, key: 'b', run: () => void blockPerson(setting, one) },
      { label: desk.unblock, run: () => void unblockPerson(setting, one) },
    ],
    why === undefined ? undefined : element('p', 'quiet', why),
    element('p', 'faint', facts.join(' · ')),
    ...before,
    changesOf(logs, setting),
  )
}

/** The beginning of a day, as the start of a revert. */
const dayOf = (iso: string | undefined): string | undefined => iso && `${iso.slice(0, 10)}T00:00:00.000Z`

/** A person's last changes, each with a button to revert it. */
function changesOf(logs: readonly LogEntry[], setting: Setting): HTMLElement {
  const list = element('ol', 'timeline desk-history')
  for (const entry of logs) {
    const { id, action, bubblerId, changes, timestamp } = entry
    const { name } = changes
    const changed = Object.keys(changes).filter((field) => field !== 'via' && field !== 'reason')
    const what = element(
      'span',
      'entry-what',
      element('strong', '', words.action[action]),
      ` #${bubblerId} `,
      ...(typeof name === 'string' ? [named(name)] : []),
    )
    if (action === 'edited') what.append(` · ${changed.map(fieldName).join(', ')}`)
    const time = element('time', '', moment(timestamp))
    time.dateTime = timestamp
    const text = element('div', 'entry-text', what, element('span', 'entry-meta', time))
    const revert = button(desk.revert, () => void revertEntry(setting, entry, undefined), {
      className: 'button button-quiet button-small',
    })
    revert.ariaLabel = labelled(desk.revert, fill(desk.entry, { id: format.number(id) }))
    const row = element('li', 'desk-entry', text, revert)
    row.dataset['entry'] = String(id)
    list.append(row)
  }
  return element(
    'section',
    'desk-part',
    element('h3', '', desk.contributions),
    logs.length === 0 ? element('p', 'quiet', desk.historyEmpty) : list,
  )
}
