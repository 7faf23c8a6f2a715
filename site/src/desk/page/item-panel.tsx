import type { LogEntry, QueueItem, Report, Review, Waypoint } from '@openfountain/core'
import type { ComponentChildren } from 'preact'
import { fill } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { desk, distanceWords, fieldName, format, fountainName } from './config.ts'
import { labelled, page, personName, withName } from './config.ts'
import { blockPerson, decide, decisions, deleteReview, deleteWaypoint, distinguish } from './acts.tsx'
import { mergeTwo, mergeWithAnother, restoreWaypoint, revertEntry, setFlag, unblockPerson } from './acts.tsx'
import { changedIn, History, historyList } from './history.tsx'
import type { Panel, PanelAction, Setting } from './panel.tsx'
import { comparison, entryItem, fountainFacts, fountainHead, mapLink } from './parts.tsx'
import { named, nearbyList, plan, quoted, sideOf } from './parts.tsx'
import { revertPerson, type PersonToRevert } from './reverting.tsx'
import { person, read, readFountain, readHistory, readNearby } from './requests.ts'
import type { Fountain, GoneFountain, Profile } from './requests.ts'

/** The title of an item in the list. */
export function titleOf({ waypoint, review, user }: QueueItem): string {
  if (review) return withName(desk.reviewOf, waypoint ? fountainName(waypoint) : `#${review.bubblerId}`)
  return waypoint ? fountainName(waypoint) : user ? personName(user) : ''
}

/** Why an item waits. */
export function whyOf(item: QueueItem): string {
  const { why } = desk
  const { kind, user, other, metres = 0, score = 0, reports = [], changes = 0 } = item
  const date = format.date(item.since)
  switch (kind) {
    case 'unapproved':
      return user ? withName(why.unapproved, personName(user), { date }) : fill(why.unapprovedHere, { date })
    case 'unverified':
      return why.unverified
    case 'duplicates':
      return withName(why.duplicates, other ? fountainName(other) : '', {
        distance: distanceWords(metres),
        share: format.percent(score),
      })
    case 'reported':
      return fill(format.count(why.reported, reports.length), { date })
    case 'bursts':
      return fill(format.count(why.bursts, changes), { date })
  }
}

/** The reason for showing a fountain or a person, and the person concerned. */
interface Occasion {
  readonly why?: string
  /** Content above the fountain, such as reports. */
  readonly before?: ComponentChildren
  readonly person?: PersonToRevert | undefined
  readonly actions?: readonly PanelAction[]
}

const concerned = (user: Profile | undefined, since?: string): PersonToRevert | undefined =>
  user && { id: user.id, name: user.name, since }

/** The panel of a queue item. @throws Refusal */
export async function itemPanel(item: QueueItem, setting: Setting): Promise<Panel> {
  const { kind, waypoint, other, user, since } = item
  const occasion = { why: whyOf(item), person: concerned(user, since) }
  if (kind === 'reported') return reportedPanel(item, setting)
  if (waypoint && other) return pairPanel(waypoint, other, occasion, setting)
  if (waypoint) return waypointPanel(waypoint.id, setting, occasion)
  if (user) return personPanel(user, setting, occasion)
  return { title: titleOf(item), actions: [], content: () => <p class="quiet">{occasion.why}</p> }
}

/** The subject of a search: a fountain or a person. */
export interface SearchTarget {
  readonly waypointId?: number
  readonly userId?: string
}

/** Parses the search text: a number, an id of a person, or the address of either's page. */
export function parseTarget(typed: string): SearchTarget {
  const text = typed.trim()
  const waypoint = /^#?(\d{1,15})$/u.exec(text) ?? /[/?&](?:waypoint\/|fountain=)(\d{1,15})(?!\d)/u.exec(text)
  if (waypoint) return { waypointId: Number(waypoint[1]) }
  const userId = /\/contributor\/([^/?#]+)/u.exec(text)?.[1] ?? text
  return userId === '' || /[\s/]/u.test(userId) ? {} : { userId }
}

/** The panel of the search result. @throws Refusal */
export async function foundPanel({ waypointId, userId }: SearchTarget, setting: Setting): Promise<Panel> {
  if (waypointId !== undefined && (await readHistory(waypointId)).total > 0)
    return waypointPanel(waypointId, setting)
  const id = userId ?? waypointId
  const found = id === undefined ? undefined : await person(String(id))
  if (found) return personPanel(found, setting)
  return { actions: [], content: () => <p class="notice">{desk.findNothing}</p> }
}

function pairPanel(waypoint: Waypoint, other: Waypoint, { why }: Occasion, setting: Setting): Panel {
  return {
    title: (
      <>
        {named(fountainName(waypoint))} · {named(fountainName(other))}
      </>
    ),
    actions: [
      { label: desk.merge, key: 'm', isMain: true, run: () => void mergeTwo(setting, waypoint, other) },
      { label: desk.distinct, key: 'n', run: () => void distinguish(setting, waypoint, other) },
    ],
    content: () => (
      <>
        <p class="quiet">
          {why} {mapLink(waypoint, desk.onMap)}
        </p>
        {comparison(
          desk.queue.duplicates,
          sideOf(waypoint, `#${waypoint.id}, ${desk.newer}`),
          sideOf(other, `#${other.id}, ${desk.olderOne}`),
        )}
        {plan(waypoint, [other])}
      </>
    ),
  }
}

/** A fountain with the moderator's actions. @throws Refusal */
async function waypointPanel(id: number, setting: Setting, occasion: Occasion = {}): Promise<Panel> {
  const found = await readFountain(id)
  return 'waypoint' in found ? livePanel(found, setting, occasion) : gonePanel(found, setting, occasion)
}

/** The acts on the person concerned. */
const personActions = (one: PersonToRevert | undefined, setting: Setting): readonly PanelAction[] =>
  one === undefined || one.id === 'api'
    ? []
    : [
        { label: desk.revertPerson, run: () => void revertPerson(setting, one) },
        { label: desk.block, key: 'b', run: () => void blockPerson(setting, one) },
      ]

async function livePanel(fountain: Fountain, setting: Setting, occasion: Occasion): Promise<Panel> {
  const { waypoint } = fountain
  const { why, before, person: one, actions = [] } = occasion
  const name = fountainName(waypoint)
  const history = new History(waypoint.id)
  const [nearby] = await Promise.all([readNearby(waypoint), history.load()])
  const { approved, verified } = waypoint
  const revert = (entry: LogEntry | undefined) => void (entry && revertEntry(setting, entry, name))
  return {
    title: named(name),
    actions: [
      ...actions,
      {
        label: approved ? desk.unapprove : desk.approve,
        isMain: !approved && actions.length === 0,
        key: 'a',
        run: () => setFlag(setting, fountain, 'approved', !approved),
      },
      {
        label: verified ? desk.unverify : desk.verify,
        isMain: approved && !verified && actions.length === 0,
        key: 'v',
        run: () => setFlag(setting, fountain, 'verified', !verified),
      },
      { label: desk.revertEntry, key: 'r', run: () => revert(history.chosen(one?.id)) },
      { label: desk.mergeWith, key: 'm', run: () => void mergeWithAnother(setting, waypoint, nearby) },
      { label: desk.delete, run: () => void deleteWaypoint(setting, fountain) },
      ...personActions(one, setting),
    ],
    content: () => (
      <>
        {why !== undefined && <p class="quiet">{why}</p>}
        {fountainHead(waypoint)}
        {before}
        <div class="grid desk-columns">
          {fountainFacts(waypoint)}
          <div class="stack-3">
            {plan(
              waypoint,
              nearby.map((near) => near.waypoint),
            )}
            {nearbyList(nearby)}
          </div>
        </div>
        {historyList(history, setting, revert)}
      </>
    ),
  }
}

async function gonePanel(
  { id, mergedInto }: GoneFountain,
  setting: Setting,
  { before, person: one, actions = [] }: Occasion,
): Promise<Panel> {
  const history = new History(id)
  await history.load()
  const isKnown = history.logs.length > 0
  const notice = !isKnown
    ? desk.findNothing
    : mergedInto === undefined
      ? desk.deleted
      : fill(desk.deletedMerged, { id: format.number(mergedInto) })
  return {
    title: fill(desk.number, { id: format.number(id) }),
    actions: isKnown
      ? [
          ...actions,
          { label: desk.restore, key: 'r', isMain: true, run: () => void restoreWaypoint(setting, id) },
          ...personActions(one, setting),
        ]
      : actions,
    content: () => (
      <>
        <p class="notice">{notice}</p>
        {before}
        {isKnown && historyList(history, setting, (entry) => void revertEntry(setting, entry))}
      </>
    ),
  }
}

const shownEntries = 50

/** A person's profile and last changes, with the moderator's acts. @throws Refusal */
async function personPanel(
  { id, name, level, xp, createdAt }: Profile,
  setting: Setting,
  { why, before, actions = [], person: given }: Occasion = {},
): Promise<Panel> {
  const { logs } = await read<{ logs: readonly LogEntry[] }>(
    `/logs?userId=${encodeURIComponent(id)}&limit=${shownEntries}`,
  )
  const lastDay = logs[0] && `${logs[0].timestamp.slice(0, 10)}T00:00:00.000Z`
  const one = { id, name, since: given?.since ?? lastDay }
  const facts = [
    fill(desk.xp, { level: format.number(level), xp: format.number(xp) }),
    fill(desk.joined, { date: format.date(createdAt) }),
    fill(desk.person, { id: format.isolate(id) }),
  ]
  return {
    title: named(personName(one)),
    actions: [
      ...actions,
      { label: desk.revertPerson, key: 'r', isMain: true, run: () => void revertPerson(setting, one) },
      { label: desk.block, key: 'b', run: () => void blockPerson(setting, one) },
      { label: desk.unblock, run: () => void unblockPerson(setting, one) },
    ],
    content: () => (
      <>
        {why !== undefined && <p class="quiet">{why}</p>}
        <p class="faint">{facts.join(' · ')}</p>
        {before}
        <section class="stack-3">
          <h3>{desk.contributions}</h3>
          {logs.length === 0 && <p class="quiet">{desk.historyEmpty}</p>}
          <ol>
            {logs.map((entry) => {
              const { action, bubblerId, changes } = entry
              const changed = changedIn(entry).map(([field]) => fieldName(field))
              const what = (
                <>
                  {` #${bubblerId} `}
                  {typeof changes['name'] === 'string' && named(changes['name'])}
                  {action === 'edited' && ` · ${changed.join(', ')}`}
                </>
              )
              return entryItem(entry, what, undefined, () => void revertEntry(setting, entry))
            })}
          </ol>
        </section>
      </>
    ),
  }
}

async function reportedPanel(item: QueueItem, setting: Setting): Promise<Panel> {
  const { waypoint, review, user, reports = [] } = item
  const why = whyOf(item)
  const before = reportList(reports, setting)
  const actions: readonly PanelAction[] = [
    { label: desk.done, key: 'd', isMain: true, run: () => void decide(setting, reports, 'done') },
    { label: desk.dismiss, key: 'x', run: () => void decide(setting, reports, 'dismissed') },
  ]
  // Reports stay in the queue until they are decided, independent of other acts.
  const about: Setting = { ...setting, done: (done) => setting.done({ ...done, stays: true }) }
  if (review) return reviewPanel(item, review, about, { why, before, actions })
  if (waypoint) {
    const adder = await person(waypoint.addedByUserId)
    return waypointPanel(waypoint.id, about, { why, before, actions, person: concerned(adder) })
  }
  if (user) return personPanel(user, about, { why, before, actions })
  return { title: titleOf(item), actions, content: () => before }
}

async function reviewPanel(
  item: QueueItem,
  review: Review,
  setting: Setting,
  { why, before, actions = [] }: Occasion,
): Promise<Panel> {
  const { waypoint } = item
  const author = await person(review.userId)
  const by = personName(author ?? { id: review.userId })
  const written = withName(desk.reportedBy, by, { date: format.date(review.createdAt) })
  return {
    title: titleOf(item),
    actions: [
      ...actions,
      { label: desk.deleteReview, key: 'r', run: () => void deleteReview(setting, review) },
      ...personActions(concerned(author), setting),
    ],
    content: () => (
      <>
        <p class="quiet">{why}</p>
        <blockquote class="box">
          <p>{named(review.comment ?? desk.noComment)}</p>
          <p class="faint">{`${format.count(desk.rating, review.rating)} · ${written}`}</p>
        </blockquote>
        {before}
        {waypoint && mapLink(waypoint, named(fountainName(waypoint)))}
      </>
    ),
  }
}

/** The reports with reason, comment and reporter. */
const reportList = (reports: readonly Report[], setting: Setting) => (
  <section class="stack-3">
    <h3>{desk.reports}</h3>
    <ul class="stack-3 desk-reports">
      {reports.map((report) => {
        const { id, comment, by, createdAt } = report
        const date = format.date(createdAt)
        const reason = page.find(`desk.reportReason.${report.reason}`) ?? report.reason
        return (
          <li key={id} class="notice tag-warm stack-1">
            <strong>{reason}</strong>
            {quoted(comment)}
            <span class="faint">
              {by
                ? withName(desk.reportedBy, personName(by), { date })
                : fill(desk.reportedByNobody, { date })}
            </span>
            {reports.length > 1 && (
              <div class="actions">
                {(['done', 'dismissed'] as const).map((state) => (
                  <Button
                    key={state}
                    kind="quiet"
                    isSmall
                    text={decisions[state]}
                    label={labelled(decisions[state], `${reason}, ${date}`)}
                    onPress={() => void decide(setting, [report], state)}
                  />
                ))}
              </div>
            )}
          </li>
        )
      })}
    </ul>
  </section>
)
