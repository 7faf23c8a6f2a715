import { limits } from '@openfountain/core/rules'
import { desk, format, labelled, withName } from './config.ts'
import { ask, field, textIn, textInput } from './dialog.ts'
import { element, named, button } from './element.ts'
import type { PanelAction, Setting } from './panel.ts'
import { personName } from './people.ts'
import type { Report } from './queue.ts'
import { send } from './send.ts'

type Decision = 'done' | 'dismissed'

/** Decides reports one after the other, with the same note. */
async function decide(setting: Setting, reports: readonly Report[], state: Decision): Promise<void> {
  const note = textInput('note', limits.description)
  const isDone = await ask({
    title: labelled(desk.reports, desk.reportState[state]),
    content: [field(desk.reportNote, note)],
    confirm: state === 'done' ? desk.done : desk.dismiss,
    async work(data) {
      const text = textIn(data, 'note')
      for (const { id } of reports)
        await send('PATCH', `/reports/${id}`, { body: { state, ...(text !== '' && { note: text }) } })
    },
  })
  if (!isDone) return
  setting.settle(format.count(desk.did.decided, reports.length), async () => {
    for (const { id } of reports) await send('POST', `/reports/${id}/reopen`)
  })
}

/** The actions that decide all reports about one subject. */
export const reportActions = (reports: readonly Report[], setting: Setting): readonly PanelAction[] => [
  { label: desk.done, key: 'd', isMain: true, run: () => void decide(setting, reports, 'done') },
  { label: desk.dismiss, key: 'x', run: () => void decide(setting, reports, 'dismissed') },
]

/** The reports with reason, comment and reporter. */
export function reportList(reports: readonly Report[], setting: Setting): HTMLElement {
  const list = element('ul', 'desk-reports')
  for (const report of reports) {
    const { reason, comment, by, createdAt } = report
    const date = format.date(createdAt)
    const row = element('li', '', element('strong', '', reasonWords(reason)))
    if (comment !== undefined) row.append(element('q', 'desk-reason', named(comment)))
    row.append(
      element(
        'span',
        'faint',
        by
          ? withName(desk.reportedBy, personName(by), { date })
          : withName(desk.reportedByNobody, '', { date }),
      ),
    )
    if (reports.length > 1) {
      const bar = element('div', 'actions')
      for (const state of ['done', 'dismissed'] as const) {
        const label = state === 'done' ? desk.done : desk.dismiss
        const one = button(label, () => void decide(setting, [report], state), {
          className: 'button button-quiet button-small',
        })
        one.ariaLabel = labelled(label, `${reasonWords(reason)}, ${date}`)
        bar.append(one)
      }
      row.append(bar)
    }
    list.append(row)
  }
  return element('section', 'desk-part', element('h3', '', desk.reports), list)
}

const reasonWords = (reason: Report['reason']): string => {
  const known: Readonly<Record<string, string>> = desk.reportReason
  return Object.hasOwn(known, reason) ? (known[reason] ?? reason) : reason
}
