import type { OwnUser, Photo, Removal } from '@openfountain/core'
import { levelOf, limits } from '@openfountain/core/rules'
import { render, type ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isRefusal, request } from '../../api/request.ts'
import { callerOf, rememberUser, type Caller } from '../../api/signed-in.ts'
import { pageAddress, siteOfPage } from '../../api/site.ts'
import { levelStart } from '../../build/levels.ts'
import { elementBy } from '../../client/element-by.ts'
import { fill } from '../../messages.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { fileAt } from '../../live/answers.ts'
import { Button } from '../../ui/button.tsx'
import { isAgreed } from '../../ui/dialog.tsx'
import { Field, Form, textIn } from '../../ui/form.tsx'
import { Instead, opened } from '../../ui/opened.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Earnings } from '../../views/earnings.tsx'
import { Removals } from '../../views/removals.tsx'
import { outbox, type Queue } from '../outbox/outbox.ts'
import { QueueList, useFocusOfRows } from '../outbox/page/queue.tsx'
import { fieldName, refusalText, wordingNow, type Wording } from '../wording.ts'
import { History, type Contribution } from './history.ts'

/** The page of the user's own contributions: the queue, the level, the history. */

function Waiting({ wording }: { readonly wording: Wording }) {
  const { outbox: text } = wording.words
  const place = useRef<HTMLElement>(null)
  const [queue, setQueue] = useState<Queue>({ submissions: [], others: 0 })
  const isEmpty = queue.submissions.length + queue.others === 0
  useEffect(() => outbox().watch(setQueue), [])
  useFocusOfRows(place, () => elementBy(isEmpty ? '#contributions-title' : '#waiting-title').focus())
  return (
    <section class="section box" id="waiting" aria-labelledby="waiting-title" hidden={isEmpty} ref={place}>
      <h2 id="waiting-title" tabIndex={-1}>
        {text.title}
      </h2>
      <p class="quiet">{text.lead}</p>
      <QueueList wording={wording} queue={queue} />
    </section>
  )
}

/** The level, with what it allows. */
function Standing({ wording, xp, offer }: { wording: Wording; xp: number } & Pick<Caller, 'offer'>) {
  const { words, page, format } = wording
  const text = words.outbox.contributions
  const level = levelOf(xp, words.rules.levels)
  const [from, nextAt] = [levelStart(level, words.rules), levelStart(level + 1, words.rules)]
  const withXp = (sentence: string, n: number): string => fill(sentence, { xp: format.number(n) })
  return (
    <section class="section box" id="level" aria-labelledby="level-title">
      <h2 id="level-title">{fill(text.level, { level: format.number(level) })}</h2>
      <progress max={nextAt - from} value={xp - from} aria-label={text.progress} />
      <p id="level-xp">
        {withXp(text.xp, xp)} · {fill(withXp(text.next, nextAt - xp), { level: format.number(level + 1) })}
      </p>
      {offer?.xpTonight && <p class="quiet">{withXp(words.contribute.tonight, offer.xpTonight)}</p>}
      <details class="fold" open={words.earnings.rows.some(({ needs }) => needs > xp)}>
        <summary>{words.earnings.title}</summary>
        <Earnings words={words.earnings} format={format} icons={page.icons} xp={xp} />
      </details>
      <p>
        <a href={pageAddress('how-it-works/')}>{words.rules.title}</a>
      </p>
    </section>
  )
}

/** The user's fountains and reviews that others removed; nothing where there are none. */
function Removed({ wording: { words, format } }: { readonly wording: Wording }) {
  const [removals, setRemovals] = useState<readonly Removal[]>([])
  useEffect(() => {
    void request<{ removals: Removal[] }>('GET', '/user/removals').then(
      (found) => setRemovals(found.removals),
      () => undefined,
    )
  }, [])
  const text = words.outbox.contributions
  return (
    <section class="section" id="removed" aria-labelledby="removed-title" hidden={removals.length === 0}>
      <h2 id="removed-title">{text.removed}</h2>
      <Removals removals={removals} words={text} format={format} />
    </section>
  )
}

function Sent({ wording, user }: { readonly wording: Wording; readonly user: OwnUser }) {
  const words = wording.words.outbox.contributions
  const [history] = useState(() => new History(user.id))
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
      {rows.length === 0 && <Instead text={words.none} label={words.toMap} href={pageAddress('')} />}
      <ul id="sent-list" ref={list}>
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

interface SentProps {
  readonly wording: Wording
  readonly contribution: Contribution
}

function PhotoActs({
  wording,
  photo: { id, alt },
  title,
  deleted,
}: {
  readonly wording: Wording
  readonly photo: Photo
  readonly title: string
  deleted(): void
}) {
  const { account, contribute } = wording.words
  const [problem, setProblem] = useState('')
  const wordingOf = (error: unknown): string => refusalText(wording, error)
  const erase = async (): Promise<void> => {
    const question = wording.format.withName(contribute.photo.title, title)
    if (!(await isAgreed(question, { yes: contribute.remove, no: account.cancel }))) return
    try {
      await request('DELETE', `/photos?id=${id}`)
      deleted()
    } catch (error) {
      setProblem(wordingOf(error))
    }
  }
  return (
    <details>
      <summary>{contribute.editIt}</summary>
      <Form
        class="stack-2"
        wordingOf={wordingOf}
        work={async (data, form) => {
          await request('PATCH', `/photos/${id}`, { alt: textIn(data, 'alt') || null })
          form.closest('details')?.removeAttribute('open')
        }}
        actions={
          <>
            <Button isSubmit isSmall text={account.save} />
            <Button kind="quiet" isSmall onPress={() => void erase()} text={contribute.remove} />
          </>
        }
      >
        <Field
          name="alt"
          label={contribute.photo.alt}
          hint={contribute.photo.altHint}
          maxLength={limits.photoAlt}
          defaultValue={alt ?? ''}
        />
        <Problem text={problem} />
      </Form>
    </details>
  )
}

function SentRow({ wording, contribution: { what, fields, at, fountain, photo } }: SentProps) {
  const { words, page, format } = wording
  const { contributions } = words.outbox
  const changed = fields.map((name) => fieldName(wording, name)).join(', ')
  const { observe } = words.contribute
  const said = {
    reviewed: contributions.reviewed,
    photographed: contributions.photographed,
    works: observe.works,
    ...observe.kind,
  }
  const action = isSaid(said, what) ? said[what] : page.text(`action.${what}`)
  const [isDeleted, setDeleted] = useState(false)
  const now = isDeleted ? 'gone' : photo && photo.state !== 'shown' ? photoNow[photo.state] : fountain.now
  const title = page.title(fountain)
  const isGone = fountain.now === 'gone' || fountain.now === 'merged'
  return (
    <li class="split item">
      <div class="stack-0">
        <strong>
          {isGone ? (
            <bdi>{title}</bdi>
          ) : (
            <a href={pageAddress(`?fountain=${fountain.id}`)}>
              <bdi>{title}</bdi>
            </a>
          )}
        </strong>
        <span>{changed === '' ? action : page.text('site.labelled', { label: action, text: changed })}</span>
        <time class="faint" datetime={at}>
          {format.date(at)}
        </time>
        {photo && !isDeleted && (
          <PhotoActs wording={wording} photo={photo} title={title} deleted={() => setDeleted(true)} />
        )}
      </div>
      {photo && !isDeleted && (
        <img
          class="thumbnail"
          src={fileAt(siteOfPage().api, photo.urls.small)}
          crossOrigin="use-credentials"
          alt={photo.alt ?? page.text('waypoint.photo')}
          loading="lazy"
        />
      )}
      <Badge tone={tones[now]}>{contributions.now[now]}</Badge>
    </li>
  )
}

const isSaid = <Key extends string>(said: Readonly<Record<Key, string>>, what: string): what is Key =>
  what in said

const photoNow = { waiting: 'unapproved', hidden: 'hidden' } as const

const tones: Readonly<Partial<Record<Contribution['fountain']['now'] | 'hidden', Tone>>> = {
  hidden: 'warm',
  verified: 'verified',
  gone: 'warm',
  merged: 'warm',
}

async function begin(): Promise<void> {
  const wording = await wordingNow()
  const { outbox: text, account, problem } = wording.words
  const place = elementBy('#contributions')
  /** Unsent submissions are shown at once, in every case. */
  const draw = (content: ComponentChildren): void =>
    render(
      <>
        <Waiting wording={wording} />
        {content}
      </>,
      place,
    )
  const caller = await opened({
    words: account,
    load: () => callerOf(),
    wordingOf: (error) =>
      `${isRefusal(error, 'OFFLINE') ? `${problem.offline} ` : ''}${text.contributions.failed}`,
    draw,
  })
  const user = caller?.user
  if (user) rememberUser({ id: user.id, name: user.name })
  draw(
    user ? (
      <>
        <Standing wording={wording} xp={user.xp} offer={caller.offer} />
        <Removed wording={wording} />
        <Sent wording={wording} user={user} />
      </>
    ) : (
      <Instead text={text.contributions.signedOut} label={account.signIn} href={pageAddress('sign-in/')} />
    ),
  )
}

void begin()
