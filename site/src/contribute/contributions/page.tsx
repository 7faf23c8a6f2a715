import type { OwnUser } from '@openfountain/core'
import { render, type ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { rememberUser, signedInUser } from '../../api/signed-in.ts'
import { siteOfPage } from '../../api/site.ts'
import { elementBy } from '../../client/element-by.ts'
import { kinds } from '../../kinds.ts'
import { fill } from '../../messages.ts'
import { shownName } from '../../naming.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Instead, opened } from '../../ui/opened.tsx'
import { Problem } from '../../ui/problem.tsx'
import type { Submission } from '../outbox/submission.ts'
import { outbox } from '../outbox/outbox.ts'
import { WaitingList } from '../outbox/page/panel.tsx'
import { wordingOf } from '../outbox/page/setting.ts'
import type { Wording } from '../outbox/words.ts'
import type { ContributionsConfig } from './config.ts'
import { History, type Contribution } from './history.ts'
import { levelProgress } from './level.ts'

/** The page of the user's own contributions: the queue, the level, the history. */

const config: ContributionsConfig = JSON.parse(elementBy('#contributions-config').textContent)
const { pages, rules } = config
const kept = outbox()

function Queue({ wording }: { readonly wording: Wording }) {
  const [submissions, setSubmissions] = useState<readonly Submission[]>([])
  const [others, setOthers] = useState(0)
  const place = useRef<HTMLElement>(null)
  const hadFocus = useRef(false)
  useEffect(() => {
    const show = async (found: readonly Submission[]): Promise<void> => {
      const count = await kept.others()
      hadFocus.current = place.current?.contains(document.activeElement) === true
      setSubmissions(found)
      setOthers(count)
    }
    kept.watch((found) => void show(found))
  }, [])
  useEffect(() => {
    // The row that had the focus may be gone.
    if (!hadFocus.current || place.current?.contains(document.activeElement)) return
    elementBy(place.current?.hidden ? '#contributions-title' : '#waiting-title').focus()
  }, [submissions, others])
  const { outbox: text } = wording.words
  return (
    <section
      class="section box"
      id="waiting"
      aria-labelledby="waiting-title"
      hidden={submissions.length + others === 0}
      ref={place}
    >
      <h2 id="waiting-title" tabIndex={-1}>
        {text.title}
      </h2>
      <p class="quiet">{text.lead}</p>
      <div class="outbox-part">
        <WaitingList wording={wording} submissions={submissions} others={others} />
      </div>
    </section>
  )
}

/** The level, with what it allows. */
function Standing({ wording, user: { xp } }: { readonly wording: Wording; readonly user: OwnUser }) {
  const { words, format } = wording
  const text = words.outbox.contributions
  const { level, nextAt, progress } = levelProgress(xp, rules)
  const withXp = (sentence: string, n: number): string => fill(sentence, { xp: format.number(n) })
  return (
    <section class="section box" id="level" aria-labelledby="level-title">
      <h2 id="level-title">{fill(text.level, { level: format.number(level) })}</h2>
      <progress class="outbox-progress" max="1" value={progress} aria-label={text.progress} />
      <p id="level-xp">
        {withXp(text.xp, xp)} · {fill(withXp(text.next, nextAt - xp), { level: format.number(level + 1) })}
      </p>
      <ul class="outbox-list">
        {config.gates.map(({ icon, label, xp: earned, gate }) => (
          <li key={label} class="outbox-row">
            <span class="outbox-event">
              <Icon name={icon} />
              {label}
            </span>
            <span class="faint">{`+${withXp(text.xp, earned)}`}</span>
            <span class="outbox-badge" data-open={String(gate <= xp)}>
              {gate > xp ? withXp(text.needs, gate - xp) : text.can}
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href={pages.rules}>{config.rulesTitle}</a>
      </p>
    </section>
  )
}

/** The user's contributions, newest first. */
function Sent({ wording, user }: { readonly wording: Wording; readonly user: OwnUser }) {
  const words = wording.words.outbox.contributions
  const [history] = useState(() => new History(siteOfPage(), user.id))
  const [rows, setRows] = useState<readonly Contribution[]>()
  const [problem, setProblem] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const isReading = useRef(false)
  const read = async (): Promise<void> => {
    if (isReading.current) return
    isReading.current = true
    setProblem('')
    try {
      const next = await history.next()
      setRows((before = []) => [...before, ...next])
    } catch {
      setProblem(words.failed)
    } finally {
      isReading.current = false
    }
  }
  const before = useRef(0)
  useEffect(() => void read(), [])
  useEffect(() => {
    // The button may be gone: the focus moves to the first new row.
    if (before.current > 0) list.current?.children[before.current]?.querySelector('a')?.focus()
    before.current = rows?.length ?? 0
  }, [rows])
  if (!rows) return <Problem text={problem} />
  return (
    <section class="section" id="sent" aria-labelledby="sent-title">
      <h2 id="sent-title">{words.sent}</h2>
      {rows.length === 0 && <Instead text={words.none} label={words.toMap} href={pages.map} />}
      <ul class="outbox-list" id="sent-list" ref={list}>
        {rows.map((one, index) => (
          <SentRow key={index} wording={wording} contribution={one} />
        ))}
      </ul>
      <Problem text={problem} />
      {history.hasMore && (
        <p class="actions">
          <Button kind="quiet" onPress={() => void read()} text={words.more} />
        </p>
      )}
    </section>
  )
}

function SentRow({
  wording: { words, format },
  contribution: { what, fields, at, fountain },
}: {
  readonly wording: Wording
  readonly contribution: Contribution
}) {
  const { contributions } = words.outbox
  const names: Readonly<Record<string, string>> = words.field
  const amenities: Readonly<Record<string, string>> = words.amenity
  const changed = fields.map((name) => (Object.hasOwn(names, name) ? names[name] : name)).join(', ')
  const action = what === 'reviewed' ? contributions.reviewed : words.action[what]
  const title = shownName(fountain, kinds, {
    unnamed: words.unnamed,
    amenity: (key) => amenities[key] ?? key,
  })
  const isGone = fountain.now === 'gone' || fountain.now === 'merged'
  return (
    <li class="outbox-row">
      <div class="outbox-text">
        {isGone ? (
          <strong>
            <bdi>{title}</bdi>
          </strong>
        ) : (
          <a class="outbox-name" href={`${pages.fountain}${fountain.id}`}>
            <bdi>{title}</bdi>
          </a>
        )}
        <span>{changed === '' ? action : fill(words.labelled, { label: action, text: changed })}</span>
        <time class="faint" datetime={at}>
          {format.date(at)}
        </time>
      </div>
      <span class="outbox-badge" data-now={fountain.now}>
        {contributions.now[fountain.now]}
      </span>
    </li>
  )
}

async function begin(): Promise<void> {
  const site = siteOfPage()
  const wording = await wordingOf(site.tag)
  const { outbox: text, account } = wording.words
  const place = elementBy('#contributions')
  /** What waits is shown at once, in every case. */
  const draw = (content: ComponentChildren): void =>
    render(
      <>
        <Queue wording={wording} />
        {content}
      </>,
      place,
    )
  const user = await opened({
    words: account,
    load: () => signedInUser(site),
    wordingOf: () => text.contributions.failed,
    draw,
  })
  if (user) rememberUser({ id: user.id, name: user.name })
  draw(
    user ? (
      <>
        <Standing wording={wording} user={user} />
        <Sent wording={wording} user={user} />
      </>
    ) : (
      <Instead text={text.contributions.signedOut} label={account.signIn} href={pages.signIn} />
    ),
  )
}

void begin()
