import type { LogEntry, QueueItem, Report, Review, Waypoint } from '@openfountain/core'
import type { ComponentChildren } from 'preact'
import { request } from '../../api/request.ts'
import { fill } from '../../messages.ts'
import { ActButton, type Act } from './act.tsx'
import { blockPerson, decide, deleteReview, deleteWaypoint, distinguish, flag } from './acts.tsx'
import { mergeTwo, mergeWithAnother, restoreWaypoint, revertEntry, unblockPerson } from './acts.tsx'
import { desk, distanceWords, fieldName, format, fountainName } from './config.ts'
import { labelled, page, personName, withName } from './config.ts'
import { changedIn, History, HistoryList } from './history.tsx'
import { keys } from './keys.tsx'
import { comparison, entryItem, fountainFacts, fountainHead, mapLink } from './parts.tsx'
import { named, nearbyList, personLink, placeOf, quoted, sideOf, surroundings } from './parts.tsx'
import { photoPanel } from './photo-panel.tsx'
import { PersonWorks, readWorks } from './person-work.tsx'
import { revertPerson, type PersonToRevert } from './reverting.tsx'
import { doubtfulPanel } from './doubtful.tsx'
import { person, readFountain, readHistory, readNearby } from './requests.ts'
import type { Fountain, GoneFountain, Profile } from './requests.ts'

export function titleOf({ waypoint, review, photo, user, row }: QueueItem): string {
  if (row) return fountainName(row)
  if (review) return withName(desk.reviewOf, waypoint ? fountainName(waypoint) : `#${review.bubblerId}`)
  if (photo) return withName(desk.photoOf, waypoint ? fountainName(waypoint) : `#${photo.bubblerId}`)
  return waypoint ? fountainName(waypoint) : user ? personName(user) : ''
}

export function whyOf(item: QueueItem): string {
  const { why } = desk
  const { kind, user, other, metres = 0, score = 0, reports = [], changes = 0, row, waypoint } = item
  const date = format.date(item.since)
  switch (kind) {
    case 'unapproved':
      return user ? withName(why.unapproved, personName(user), { date }) : fill(why.unapprovedHere, { date })
    case 'photos':
      return withName(why.photos, personName(user ?? { id: '' }), { date })
    case 'unverified':
      return why.unverified
    case 'duplicates':
      return withName(why.duplicates, other ? fountainName(other) : '', {
        distance: distanceWords(metres),
        share: format.percent(score),
      })
    case 'reported':
      return fill(format.count(why.reported, reports.length), { date })
    case 'doubtful': {
      const { source = '', row: number = 0 } = row ?? {}
      const from = { source: format.isolate(source), row: format.number(number) }
      if (!waypoint) return fill(why.doubtfulGone, from)
      const likeness = { distance: distanceWords(metres), share: format.percent(score) }
      return withName(why.doubtful, fountainName(waypoint), { ...from, ...likeness })
    }
    case 'bursts':
      return fill(format.count(why.bursts, changes), { date })
  }
}

export interface Panel {
  readonly title?: ComponentChildren
  readonly acts: readonly Act[]
  readonly head?: ComponentChildren
  readonly content?: ComponentChildren
  readonly waypoint?: Waypoint
}

/** The acts follow the title in reading order, so that no user has to tab through the whole history. */
export function PanelView({ panel: { title, acts, head, content } }: { readonly panel: Panel }) {
  const main = acts.find(({ isMain }) => isMain)
  return (
    <div class="stack-4">
      {title !== undefined && <h2 tabIndex={-1}>{title}</h2>}
      {acts.length > 0 && (
        <div class="actions">
          {acts.map((act) => (
            <ActButton key={act.label} act={act} isMain={act === main} />
          ))}
        </div>
      )}
      {head}
      {content}
    </div>
  )
}

/** The panel of a queue item: its subject, why it waits, its reports. @param together items that are decided together @throws Refusal */
export async function itemPanel(item: QueueItem, together: () => readonly QueueItem[]): Promise<Panel> {
  const { reports = [] } = item
  const panel = item.row ? doubtfulPanel(item, item.row, together) : await subjectPanel(item)
  return {
    ...panel,
    acts: [
      ...(reports.length > 0 ? [decide(reports, 'done'), decide(reports, 'dismissed')] : []),
      ...panel.acts,
    ],
    head: (
      <>
        <p class="quiet">{whyOf(item)}</p>
        {panel.head}
        {reports.length > 0 && reportList(reports)}
      </>
    ),
  }
}

async function subjectPanel(item: QueueItem): Promise<Panel> {
  const { kind, waypoint, other, review, photo, user, since } = item
  if (review) return reviewPanel(item, review)
  if (photo) return photoPanel(item, photo, personActs)
  if (waypoint && other) return pairPanel(waypoint, other)
  if (waypoint)
    return waypointPanel(
      waypoint.id,
      kind === 'reported' ? await person(waypoint.addedByUserId) : user && { ...user, since },
    )
  return user ? personPanel({ ...user, since }) : { title: titleOf(item), acts: [] }
}

/** The panel of what a text names: a fountain by its number, a person by their id, or either by its address. @throws Refusal */
export async function foundPanel(text: string): Promise<Panel> {
  const [, number] =
    /^#?(\d{1,15})$/u.exec(text) ?? /[/?&](?:waypoint\/|fountain=)(\d{1,15})(?!\d)/u.exec(text) ?? []
  if (number !== undefined && (await readHistory(Number(number))).total > 0)
    return waypointPanel(Number(number))
  const [, encoded] = /\/contributor\/([^/?#]+)/u.exec(text) ?? []
  const id = number ?? (encoded === undefined ? text : decoded(encoded))
  const found = id === '' || /[\s/]/u.test(id) ? undefined : await person(id)
  return found ? personPanel(found) : { acts: [], content: <p class="notice">{desk.findNothing}</p> }
}

/** A part of an address; unchanged where it is none. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const pairPanel = (waypoint: Waypoint, other: Waypoint): Panel => ({
  title: (
    <>
      {named(fountainName(waypoint))} · {named(fountainName(other))}
    </>
  ),
  acts: [mergeTwo(waypoint, other), distinguish(waypoint, other)],
  content: (
    <>
      <p>{mapLink(waypoint, desk.onMap)}</p>
      {comparison(
        desk.queue.duplicates,
        sideOf(waypoint, `#${waypoint.id}, ${desk.newer}`),
        sideOf(other, `#${other.id}, ${desk.olderOne}`),
      )}
      {surroundings(waypoint, [other])}
    </>
  ),
})

/** A fountain, and the person whose changes may be reverted. @throws Refusal */
async function waypointPanel(id: number, concerned?: PersonToRevert): Promise<Panel> {
  const found = await readFountain(id)
  return 'waypoint' in found ? livePanel(found, concerned) : gonePanel(found, concerned)
}

const personActs = (one: PersonToRevert | undefined): readonly Act[] =>
  one === undefined || one.id === 'api' ? [] : [revertPerson(one), blockPerson(one)]

async function livePanel(fountain: Fountain, concerned: PersonToRevert | undefined): Promise<Panel> {
  const { waypoint } = fountain
  const name = fountainName(waypoint)
  const history = new History(waypoint.id)
  const [nearby] = await Promise.all([readNearby(waypoint), history.load()])
  const revert = (entry: LogEntry) => revertEntry(entry, name)
  return {
    title: named(name),
    waypoint,
    acts: [
      flag(fountain, 'approved'),
      flag(fountain, 'verified'),
      {
        label: desk.revertEntry,
        key: keys.revert,
        async work() {
          const entry = history.chosen(concerned?.id)
          return entry && revert(entry)
        },
      },
      mergeWithAnother(waypoint, nearby),
      deleteWaypoint(fountain),
      ...personActs(concerned),
    ],
    head: fountainHead(waypoint),
    content: (
      <>
        <div class="grid desk-columns">
          {fountainFacts(waypoint)}
          <div class="stack-3">
            {surroundings(
              waypoint,
              nearby.map((near) => near.waypoint),
              history.placeBefore(),
            )}
            {nearbyList(nearby)}
          </div>
        </div>
        <HistoryList history={history} revert={revert} />
      </>
    ),
  }
}

async function gonePanel(
  { id, mergedInto }: GoneFountain,
  concerned: PersonToRevert | undefined,
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
    acts: isKnown ? [restoreWaypoint(id), ...personActs(concerned)] : [],
    head: <p class="notice">{notice}</p>,
    content: isKnown && <HistoryList history={history} revert={revertEntry} />,
  }
}

const shownEntries = 50

/** A person's profile and last changes, with the moderator's acts. @throws Refusal */
async function personPanel(user: Profile & PersonToRevert): Promise<Panel> {
  const { id, name, level, xp, createdAt } = user
  const [{ logs }, works] = await Promise.all([
    request<{ logs: readonly LogEntry[] }>(
      'GET',
      `/logs?userId=${encodeURIComponent(id)}&limit=${shownEntries}`,
    ),
    readWorks(id),
  ])
  const lastDay = logs[0] && `${logs[0].timestamp.slice(0, 10)}T00:00:00.000Z`
  const one = { id, name, since: user.since ?? lastDay }
  const facts = [
    fill(desk.xp, { level: format.number(level), xp: format.number(xp) }),
    fill(desk.joined, { date: format.date(createdAt) }),
    fill(desk.person, { id: format.isolate(id) }),
  ]
  return {
    title: named(personName(one)),
    acts: [{ ...revertPerson(one), key: keys.revert, isMain: true }, blockPerson(one), unblockPerson(one)],
    head: <p class="faint">{facts.join(' · ')}</p>,
    content: (
      <>
        <PersonWorks key={id} id={id} first={works} />
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
              return entryItem(entry, what, revertEntry(entry))
            })}
          </ol>
        </section>
      </>
    ),
  }
}

async function reviewPanel(item: QueueItem, review: Review): Promise<Panel> {
  const { waypoint } = item
  const author = await person(review.userId)
  const by = personName(author ?? { id: review.userId })
  const written = withName(desk.reportedBy, by, { date: format.date(review.createdAt) })
  return {
    title: titleOf(item),
    acts: [deleteReview(review), ...personActs(author)],
    head: (
      <blockquote class="box">
        <p>{named(review.comment ?? desk.noComment)}</p>
        <p class="faint">
          {`${format.count(desk.rating, review.rating)} · `}
          {personLink(review.userId, written)}
        </p>
      </blockquote>
    ),
    content: waypoint && placeOf(waypoint),
  }
}

const reportList = (reports: readonly Report[]) => (
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
                ? personLink(by.id, withName(desk.reportedBy, personName(by), { date }))
                : fill(desk.reportedByNobody, { date })}
            </span>
            {reports.length > 1 && (
              <div class="actions">
                {(['done', 'dismissed'] as const).map((state) => {
                  const { key: _key, ...act } = decide([report], state)
                  return (
                    <ActButton
                      key={state}
                      act={act}
                      isSmall
                      about={labelled(act.label, `${reason}, ${date}`)}
                    />
                  )
                })}
              </div>
            )}
          </li>
        )
      })}
    </ul>
  </section>
)
