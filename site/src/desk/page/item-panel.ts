import type { Review } from '@openfountain/core'
import { comparison, distinguish, mergeTwo, sideOf } from './compare.ts'
import { desk, format, onMap, withName } from './config.ts'
import { element, link, named } from './element.ts'
import { fountainName } from './naming.ts'
import { panelOf, type Panel, type PanelAction, type Setting } from './panel.ts'
import { person, personName, type Profile } from './people.ts'
import { personPanel } from './person-panel.ts'
import { plan } from './plan.ts'
import { titleOf, whyOf, type QueueItem } from './queue.ts'
import { reportActions, reportList } from './reports.ts'
import { deleteReview } from './review-actions.ts'
import { personActions, waypointPanel } from './waypoint-panel.ts'

const concerned = (user: Profile | undefined, since?: string) =>
  user && { id: user.id, ...('name' in user && { name: user.name }), since }

/** The panel of a queue item. @throws Refusal */
export async function itemPanel(item: QueueItem, setting: Setting): Promise<Panel> {
  const why = whyOf(item)
  switch (item.kind) {
    case 'bursts':
      return personPanel(item.user, setting, { why, person: concerned(item.user, item.since) })
    case 'duplicates':
      return pairPanel(item, setting)
    case 'reported':
      return reportedPanel(item, setting)
    default:
      return waypointPanel(item.waypoint.id, setting, { why, person: concerned(item.user, item.since) })
  }
}

function pairPanel(
  { waypoint, other, ...item }: Extract<QueueItem, { kind: 'duplicates' }>,
  setting: Setting,
): Panel {
  const title = element('span', '', named(fountainName(waypoint)), ' · ', named(fountainName(other)))
  const place = link(onMap(waypoint), desk.onMap)
  place.target = '_blank'
  place.rel = 'noopener'
  return panelOf(
    title,
    [
      { label: desk.merge, key: 'm', isMain: true, run: () => void mergeTwo(setting, waypoint, other) },
      { label: desk.distinct, key: 'n', run: () => void distinguish(setting, waypoint, other) },
    ],
    element('p', 'quiet', whyOf({ ...item, waypoint, other }), ' ', place),
    comparison(
      desk.queue.duplicates,
      sideOf(waypoint, `#${waypoint.id}, ${desk.newer}`),
      sideOf(other, `#${other.id}, ${desk.olderOne}`),
    ),
    plan(waypoint, [other]),
  )
}

async function reportedPanel(
  item: Extract<QueueItem, { kind: 'reported' }>,
  setting: Setting,
): Promise<Panel> {
  const { waypoint, review, user, reports } = item
  const why = whyOf(item)
  const before = [reportList(reports, setting)]
  const actions = reportActions(reports, setting)
  // Reports stay in the queue until they are decided, independent of other acts.
  const about = { ...setting, settle: setting.update }
  if (review) return reviewPanel(item, review, actions, before, about)
  if (waypoint) {
    const adder = await person(waypoint.addedByUserId)
    return waypointPanel(waypoint.id, about, { why, before, actions, person: concerned(adder) })
  }
  if (user) return personPanel(user, about, { why, before, actions })
  return panelOf(titleOf(item), actions, ...before)
}

async function reviewPanel(
  item: Extract<QueueItem, { kind: 'reported' }>,
  review: Review,
  actions: readonly PanelAction[],
  before: readonly Node[],
  setting: Setting,
): Promise<Panel> {
  const author = await person(review.userId)
  const by = personName(author ?? { id: review.userId })
  const text = element('blockquote', 'box desk-review')
  text.append(
    element('p', '', named(review.comment ?? desk.noComment)),
    element(
      'p',
      'faint',
      format.count(desk.rating, review.rating),
      ' · ',
      withName(desk.reportedBy, by, { date: format.date(review.createdAt) }),
    ),
  )
  return panelOf(
    titleOf(item),
    [
      ...actions,
      { label: desk.deleteReview, key: 'r', run: () => void deleteReview(review, setting) },
      ...personActions(concerned(author), setting),
    ],
    element('p', 'quiet', whyOf(item)),
    text,
    ...before,
    ...(item.waypoint ? [link(onMap(item.waypoint), named(fountainName(item.waypoint)))] : []),
  )
}
