import type { DecidedReport, Follow, Notification } from '@openfountain/core/internal'
import type { OwnUser, Waypoint } from '@openfountain/core'
import { rhythms } from '@openfountain/core/rules'
import { request } from '../../api/request.ts'
import { rememberReturn } from '../../api/return.ts'
import { signInOffer } from '../../api/signed-in.ts'
import { showUnread } from '../../client/bell.ts'
import { fill } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { Choices, Flag, Select, textIn } from '../../ui/form.tsx'
import { List } from '../../ui/list.tsx'
import { Instead } from '../../ui/opened.tsx'
import { config, format, words } from './config.ts'
import { AccountForm, announce, begun, showStep, useWork } from './page.tsx'
import { pushState, turnPushOff, turnPushOn, type PushState } from './push.ts'

/** Follows and notifications of somebody. */

const text = words.following
const events = ['broken', 'works', 'off', 'gone'] as const
const radii = [500, 1000, 2000, 5000]

const asked = new URLSearchParams(location.search)

type What = Follow['what']
type News = Omit<Notification, 'isRemoved'> & { readonly url: string }

interface Told {
  readonly follows: readonly Follow[]
  readonly notifications: readonly News[]
  readonly reports: readonly DecidedReport[]
  readonly unread: number
  readonly hasMail: boolean
  readonly isModerator: boolean
  /** Absent where the server pushes nothing. */
  readonly push?: PushState | undefined
}

type Page = Pick<Told, 'notifications' | 'reports' | 'unread'>

type Offered = readonly { readonly what: What; readonly label: string }[]

const named = (sentence: string, name: string): string => fill(sentence, { name: format.isolate(name) })
const within = (radius: number, name: string): string =>
  fill(text.around, { distance: format.distance(words.distances, radius), name: format.isolate(name) })

type Shown = Told & { readonly offers: Offered }

const names = new Map<number, string>()

function labelOf(what: What): string {
  const { bubblerId, near, radius = 0, region, maintainer, source, country, subdivision, mine, queue } = what
  if (queue) return text.queue
  if (mine) return text.mine
  if (bubblerId !== undefined) return names.get(bubblerId) ?? fill(text.number, { id: String(bubblerId) })
  if (near) return within(radius, `${format.number(near.latitude)}, ${format.number(near.longitude)}`)
  if (region !== undefined) return named(text.in, region)
  if (maintainer !== undefined) return named(text.maintainedBy, maintainer)
  if (source !== undefined) return named(text.from, source)
  if (subdivision !== undefined) return named(text.in, subdivision)
  return country === undefined ? text.area : named(text.in, format.country(country))
}

/** The offers in the address: a keeper’s fountains, an area of the map, a fountain with its surroundings, or a region. */
async function offered({ keeps = [] }: Pick<OwnUser, 'keeps'>): Promise<Offered> {
  if (asked.has('keeps')) return keeps.map((what) => ({ what, label: labelOf(what) }))
  const region = asked.get('region')
  const bbox = asked.get('bbox')?.split(',').map(Number)
  if (bbox?.every(Number.isFinite)) return [{ what: { bbox } as What, label: text.area }]
  const [latitude = NaN, longitude = NaN] = asked.get('near')?.split(',').map(Number) ?? []
  const radius = Number(asked.get('radius'))
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && radius > 0) {
    const what = { near: { latitude, longitude }, radius }
    return [{ what, label: labelOf(what) }]
  }
  if (region !== null) return [{ what: { region }, label: named(text.in, region) }]
  const id = Number(asked.get('fountain'))
  if (!Number.isSafeInteger(id) || id < 1) return []
  const { waypoint } = await request<{ waypoint: Waypoint }>('GET', `/waypoints/${id}`)
  const { name, maintainer } = waypoint
  const near = { latitude: waypoint.latitude, longitude: waypoint.longitude }
  return [
    { what: { bubblerId: id }, label: name },
    ...radii.map((metres) => ({ what: { near, radius: metres }, label: within(metres, name) })),
    ...(maintainer === undefined
      ? []
      : [{ what: { maintainer }, label: named(text.maintainedBy, maintainer) }]),
    ...(waypoint.region === undefined
      ? []
      : [{ what: { region: waypoint.region }, label: named(text.in, waypoint.region) }]),
  ]
}

async function told(): Promise<Page & Pick<Told, 'follows' | 'push'>> {
  const { follows } = await request<Pick<Told, 'follows'>>('GET', '/user/follows')
  const news = await request<Page>('GET', '/user/notifications')
  for (const { bubblerId, name } of news.notifications) names.set(bubblerId, name)
  const about = [...follows.map(({ what }) => what), ...news.reports]
  for (const { bubblerId } of about) if (bubblerId !== undefined) await nameOf(bubblerId)
  return { follows, ...news, push: await pushState() }
}

async function nameOf(id: number): Promise<void> {
  if (names.has(id)) return
  const found = request<{ waypoint: Waypoint }>('GET', `/waypoints/${id}`)
  await found.then(({ waypoint }) => names.set(id, waypoint.name)).catch(() => undefined)
}

function Following({ offers, hasMail, push, after }: Shown & { after(): Promise<void> }) {
  const isOfQueue = offers[0]?.what.queue === true
  async function work(data: FormData): Promise<void> {
    const rhythm = textIn(data, 'rhythm')
    if (data.has('push') && push === 'off') await turnPushOn()
    const body = {
      what: offers[Number(textIn(data, 'what'))]?.what,
      ...(data.has('water') && { events }),
      by: ['web', ...(rhythm === '' ? [] : ['mail']), ...(data.has('push') ? ['push'] : [])],
      ...(rhythm !== '' && { rhythm }),
    }
    await request('POST', '/user/follows', body)
    await after()
    announce(text.done)
  }
  return (
    <section class="box" aria-labelledby="follow-title">
      <h2 id="follow-title">{text.what}</h2>
      <AccountForm work={work} actions={<Button isSubmit text={words.follow} />}>
        <Choices
          legend={text.choose}
          name="what"
          options={offers.map(({ label }, index) => ({ value: String(index), label }))}
        />
        {!isOfQueue && <Flag name="water" label={text.water} />}
        {!isOfQueue && push && push !== 'without' && (
          <Flag name="push" label={text.push.label} defaultChecked={push === 'on'} />
        )}
        {hasMail && (
          <Select
            name="rhythm"
            label={text.mail.label}
            chosen={asked.has('keeps') ? 'weekly' : ''}
            options={[
              ...(isOfQueue ? [] : [{ value: '', label: text.mail.never }]),
              ...rhythms
                .filter((value) => !isOfQueue || value !== 'at-once')
                .map((value) => ({ value, label: text.mail[value] })),
            ]}
          />
        )}
      </AccountForm>
    </section>
  )
}

function FollowingPage(all: Shown) {
  const { offers, follows, notifications, reports, unread, hasMail, isModerator, push } = all
  const { problem, run } = useWork('other')
  const draw = (changed: Partial<Shown>): void => show({ ...all, ...changed })
  const offer = (what: What) => () => draw({ offers: [{ what, label: labelOf(what) }] })
  const again = async (): Promise<void> => draw({ ...(await told()), offers: [] })
  const read = async (): Promise<void> => {
    await request('POST', '/user/notifications/read', {
      upTo: notifications[0]?.entryId,
      decisionsTo: reports[0]?.decidedAt,
    })
    draw(await told())
  }
  const older = async (): Promise<void> => {
    const after = notifications.at(-1)?.entryId ?? 1
    const page = await request<Page>('GET', `/user/notifications?after=${after}`)
    draw({ notifications: [...notifications, ...page.notifications] })
  }
  const onMap = (near: string, radius: number) => () =>
    location.assign(`${config.pages.home}?near=${near}&radius=${radius}`)
  return (
    <div class="stack-5">
      {problem}
      {offers.length > 0 && <Following key={JSON.stringify(offers)} {...all} after={again} />}
      <section class="stack-3" aria-labelledby="news-title">
        <h2 id="news-title">{text.news}</h2>
        <List
          none={text.none}
          items={[
            ...reports.map(({ id, state, createdAt, decidedAt, bubblerId, isRead }) => ({
              id: -id,
              title: text.report[state],
              badge: isRead ? undefined : text.unread,
              details: [
                ...(bubblerId === undefined ? [] : [names.get(bubblerId) ?? '']),
                `${format.date(createdAt)} – ${format.date(decidedAt)}`,
              ],
              actions: [],
            })),
            ...notifications.map(({ entryId, event, name, at, by, byName, reason, isRead, url }) => ({
              id: entryId,
              title: `${text.event[event]}: ${name}`,
              badge: isRead ? undefined : text.unread,
              details: [
                format.date(at),
                byName ?? text.by[by],
                ...(reason === undefined
                  ? []
                  : [fill(words.removals.reason, { reason: format.isolate(reason) })]),
              ],
              actions: [[text.open, () => location.assign(url)] as const],
            })),
          ]}
        />
        <p class="actions">
          {unread > 0 && <Button kind="quiet" text={text.read} onPress={() => run(read)} />}
          {notifications.length > 0 && notifications.length % 50 === 0 && (
            <Button kind="quiet" text={text.older} onPress={() => run(older)} />
          )}
        </p>
      </section>
      <section class="stack-3" aria-labelledby="follows-title">
        <h2 id="follows-title">{text.follows}</h2>
        <List
          items={follows.map(({ id, what, events: some, by, rhythm }, index) => ({
            id: index,
            title: labelOf(what),
            details: [
              ...(some ? [some.map((each) => text.event[each]).join(', ')] : []),
              ...(rhythm ? [`${text.mail.label}: ${text.mail[rhythm]}`] : []),
              ...(by?.includes('push') ? [text.push.label] : []),
            ],
            actions: [
              ...(what.near
                ? [
                    [
                      text.map,
                      onMap(`${what.near.latitude},${what.near.longitude}`, what.radius ?? 0),
                    ] as const,
                  ]
                : []),
              ...(hasMail || push ? [[text.mail.change, offer(what)] as const] : []),
              [text.end, () => run(() => request('DELETE', `/user/follows/${id}`).then(again))],
            ],
          }))}
        />
        <p class="actions">
          {follows.every(({ what }) => !what.mine) && (
            <Button kind="quiet" text={text.mine} onPress={offer({ mine: true })} />
          )}
          {isModerator && hasMail && follows.every(({ what }) => !what.queue) && (
            <Button kind="quiet" text={text.queue} onPress={offer({ queue: true })} />
          )}
          <Button kind="quiet" text={text.circle} href={`${config.pages.home}?radius=1000`} />
          {(push === 'off' || push === 'on') && (
            <Button
              kind="quiet"
              id="push"
              text={push === 'on' ? text.push.end : text.push.begin}
              onPress={() => run(() => (push === 'on' ? turnPushOff() : turnPushOn()).then(again))}
            />
          )}
        </p>
        {push && push !== 'off' && <p id="push-state">{text.push[push]}</p>}
      </section>
    </div>
  )
}

function show(all: Shown): void {
  showUnread(all.unread)
  showStep({ id: 'step-following', title: text.title, content: <FollowingPage {...all} /> })
}

async function begin(): Promise<void> {
  const found = await begun(text.title, async () => {
    const { user, methods } = await signInOffer()
    if (user === null) return undefined
    const hasMail = user.email !== undefined && methods.includes('code')
    return { ...(await told()), hasMail, isModerator: user.isModerator, offers: await offered(user) }
  })
  if (found) return show(found)
  rememberReturn(location.pathname + location.search)
  const content = <Instead text={text.lead} label={words.signIn} href={config.pages.signIn} />
  showStep({ id: 'step-signed-out', title: words.signedOut, content })
}

void begin()
