import type { QueueItem, Waypoint } from '@openfountain/core'
import { render, type ComponentChildren } from 'preact'
import { rememberUser, signedInUser } from '../../api/signed-in.ts'
import { siteOfPage } from '../../api/site.ts'
import { announce } from '../../client/announce.ts'
import { elementBy } from '../../client/element-by.ts'
import { LogReader } from '../../live/log.ts'
import { poll } from '../../live/polling.ts'
import { fill } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Form, textIn } from '../../ui/form.tsx'
import { Failure, Instead, opened } from '../../ui/opened.tsx'
import { Problem } from '../../ui/problem.tsx'
import { onPage } from '../../views/on-page.tsx'
import { isChanged, perform, Run, type Act, type Done } from './act.tsx'
import { desk, format, labelled, page, pages, words, wordingOf } from './config.ts'
import { foundPanel, itemPanel, titleOf, whyOf } from './item-panel.tsx'
import { keys, listenToKeys, showKeys } from './keys.tsx'
import { changesBetween, named } from './parts.tsx'
import { actOnMany } from './person-work.tsx'
import { readActs } from './past-acts.tsx'
import { keyOf, pageSize, queueKinds, readQueue, type QueueKind, type QueuePage } from './requests.ts'
import { Webhooks } from './webhooks.tsx'
import { Work, Worklist, type WorkItem } from './worklist.tsx'

const views = [...queueKinds, 'acts', 'find', 'webhooks'] as const
type View = (typeof views)[number]

const { queue, acts, find, hooks } = desk
const labels = { ...queue, acts: acts.title, find, webhooks: hooks.title }
const isQueue = (view: View): view is QueueKind => queueKinds.some((kind) => kind === view)
/** The queues whose rows are decided together. */
const together: ReadonlySet<View> = new Set(['unapproved', 'doubtful', 'unverified'])

const small = { kind: 'quiet', isSmall: true } as const

/** After a longer pause, a key does not belong to those before it. */
const burstMilliseconds = 3000

const draw = (content: ComponentChildren): void => render(onPage(page, content), elementBy('#desk'))

class Desk {
  view: View = 'reported'
  problem = ''
  said = ''
  readonly work = new Worklist(() => this.draw())
  readonly #queues = new Map<QueueKind, QueuePage>()
  #undo: Done['undo']
  /** Most items of the open queue that are listed. */
  #most = pageSize
  #isMoreActs = false
  /** The keys of the selected rows, which an act on one of them decides together. */
  #selected: ReadonlySet<string> = new Set()
  /** The reading of the open queue: only the answer of the last one is shown. */
  #reading: object | undefined
  #failure: unknown
  #isActing = false
  #pressed: readonly string[] = []
  /** Keys and labels of buttons that were pressed and are not done. */
  #refused: readonly string[] = []
  #lastPress = 0
  #reloads = 0
  /** Whether something was written since the queues were read. */
  #isStale = true

  readonly draw = (): void => {
    draw(<Run.Provider value={(act) => this.#click(act)}>{this.#page()}</Run.Provider>)
    this.#pressNext()
  }

  async begin(): Promise<void> {
    listenToKeys((key) => this.#press(key))
    addEventListener('hashchange', () => {
      this.announce('')
      // The search has focused its field.
      void this.#show().then(() => this.view !== 'find' && elementBy('#desk-list-title').focus())
    })
    await this.#show()
    const stale = (): void => void (this.#isStale = true)
    const log = new LogReader({
      api: siteOfPage().api,
      onEntries: stale,
      onUnlogged: stale,
      onAnother: stale,
    })
    poll(async (signal) => {
      await log.read(signal)
      // Reports are neither in the log nor in the version of the data.
      await this.#renew(this.#isStale ? queueKinds : ['reported'])
    }, true)
  }

  /** Shows a problem above the list. Screen readers announce the same text twice only when it was cleared in between. */
  showProblem(text: string): void {
    this.problem = ''
    this.draw()
    if (text === '') return
    setTimeout(() => {
      this.problem = text
      this.draw()
    }, 0)
  }

  /** Shows an act in the page's polite live region, with an offer to undo it. */
  announce(text: string, undo?: Done['undo']): void {
    this.said = text
    this.#undo = undo
    this.draw()
  }

  #act(act: Act): Promise<void> {
    const item = this.work.current
    const before = this.work.shown?.waypoint
    return this.#alone(async () => {
      try {
        const done = await perform(act, () => this.#refuseWaiting())
        if (!done || !item) return
        const { said, undo } = done
        this.announce(said, undo && (() => undo().then(() => item.follow(true))))
        await item.follow(false)
      } catch (error) {
        if (!isChanged(error) || !before || item !== this.work.current) throw error
        await this.work.again(
          <>
            <Problem text={wordingOf(error)} />
            {changesBetween(before, error.details['waypoint'] as typeof before | undefined)}
          </>,
        )
      }
    })
  }

  async #undoLast(): Promise<void> {
    const undo = this.#undo
    if (undo === undefined) return
    const hadFocus = document.activeElement?.id === 'desk-undo'
    this.announce(this.said)
    if (hadFocus) elementBy('#desk-list-title').focus()
    await this.#alone(async () => {
      await undo()
      this.announce(desk.undone)
    })
  }

  /** Does one act at a time, and shows its error. */
  async #alone(work: () => Promise<void>): Promise<void> {
    if (this.#isActing) return
    this.#isActing = true
    this.showProblem('')
    try {
      await work()
    } catch (error) {
      // The keys that wait were pressed before this was seen.
      this.#refuseWaiting()
      this.showProblem(wordingOf(error))
    } finally {
      this.#isActing = false
      this.draw()
    }
  }

  /** Does the act of a button, unless another is being done. */
  #click(act: Act): void {
    if (!this.#isActing) {
      this.#refused = []
      void this.#act(act)
    } else this.#refuse(act.label)
  }

  #refuse(...pressed: readonly string[]): void {
    this.#refused = [...this.#refused, ...pressed]
    if (pressed.length > 0) this.draw()
  }

  #refuseWaiting(): void {
    const waiting = this.#pressed
    this.#pressed = []
    this.#refuse(...waiting)
  }

  #press(key: string): void {
    const now = performance.now()
    if (now - this.#lastPress > burstMilliseconds) this.#refused = []
    this.#lastPress = now
    this.#pressed = [...this.#pressed, key]
    this.#pressNext()
  }

  /** Does the act of the first key, once it can be done: an act waits for its item, and for the act before it. */
  #pressNext(): void {
    const { work } = this
    const [key, ...others] = this.#pressed
    const step = key === keys.next ? 1 : key === keys.previous ? -1 : 0
    const mustWait = step === 0 && (this.#isActing || (key !== keys.undo && work.isLoading))
    if (key === undefined || this.#reading || mustWait) return
    this.#pressed = others
    const act = work.acts.find((one) => one.key === key)
    if (step !== 0) void work.move(step)
    else if (key === keys.undo) void this.#undoLast()
    else if (key === keys.select && together.has(this.view)) this.#select()
    else if (key === keys.many && this.#chosen().length > 0) void this.#alone(() => this.#many())
    else if (act) void this.#act(act)
    else this.#refuse(key)
    this.#pressNext()
  }

  /** Selects the open row, or no longer, and opens the next. */
  #select(): void {
    const { key } = this.work.current ?? {}
    if (key === undefined) return
    this.#toggle(key)
    void this.work.move(1)
  }

  #toggle(key: string): void {
    const others = new Set(this.#selected)
    if (!others.delete(key)) others.add(key)
    this.#selected = others
    this.draw()
  }

  #chosen(): readonly Waypoint[] {
    const items = this.view === 'doubtful' ? [] : (this.#queue?.items ?? [])
    return items.flatMap((item) => (this.#selected.has(keyOf(item)) && item.waypoint) || [])
  }

  async #many(): Promise<void> {
    await actOnMany(this.#chosen(), () => {
      this.#selected = new Set()
      void this.#read('row').then(() => this.work.reopen())
    })
  }

  #together(item: QueueItem): readonly QueueItem[] {
    const { items = [] } = this.#queues.get(item.kind) ?? {}
    const isSelected = this.#selected.has(keyOf(item))
    return isSelected ? items.filter((each) => this.#selected.has(keyOf(each))) : [item]
  }

  #reload(): void {
    this.#reloads += 1
    this.announce('')
    this.#isStale = true
    void this.#read()
      .then(() => this.work.reopen())
      .then(renewTotals)
  }

  async #show(): Promise<void> {
    const [name, ...sought] = location.hash.slice(1).split('/')
    this.view = views.find((one) => one === name) ?? 'reported'
    this.#most = pageSize
    this.#selected = new Set()
    this.#pressed = []
    this.#refused = []
    this.#reading = undefined
    this.showProblem('')
    await this.work.show([])
    if (this.view === 'find' && sought.length > 0) await this.#find(`/${sought.join('/')}`)
    else if (this.view === 'find') elementBy('#desk-find input').focus()
    else if (this.view === 'acts') await this.#alone(() => this.#acts())
    else await this.#read()
  }

  async #read(focus?: 'row'): Promise<void> {
    const { view, work } = this
    if (!isQueue(view)) return
    const reading = (this.#reading = {})
    this.#failure = undefined
    this.draw()
    try {
      const found = await readQueue(view, this.#most)
      if (reading !== this.#reading) return
      this.#queues.set(view, found)
      // The items are there before the first of them has loaded.
      this.#reading = undefined
      await work.renew(
        found.items.map((item) => this.#item(item)),
        focus,
      )
    } catch (error) {
      if (reading !== this.#reading) return
      if (work.current) this.showProblem(wordingOf(error))
      else this.#failure = error
    } finally {
      if (reading === this.#reading) this.#reading = undefined
      this.draw()
    }
  }

  /** Reads how many items wait, and whether the open queue has news; its list stays as it is. */
  async #renew(kinds: readonly QueueKind[]): Promise<void> {
    this.#isStale = false
    const { view, work } = this
    const { items: listed } = work
    try {
      for (const kind of kinds) {
        const found = await readQueue(kind, kind === view ? this.#most : 1)
        // An own act may be later than this reading.
        if (kind !== this.view || (kind === view && work.items === listed)) this.#queues.set(kind, found)
      }
    } catch (error) {
      this.#isStale = true
      throw error
    } finally {
      this.draw()
    }
  }

  get #queue(): QueuePage | undefined {
    const { view } = this
    return isQueue(view) && !this.#reading && this.#failure === undefined ? this.#queues.get(view) : undefined
  }

  #hasNews(): boolean {
    const listed = this.work.items.map(({ key }) => key)
    return this.#queue !== undefined && this.#queue.items.map(keyOf).join() !== listed.join()
  }

  #item(item: QueueItem): WorkItem {
    const { work } = this
    const key = keyOf(item)
    return {
      key,
      row: () => (
        <>
          <strong>{named(titleOf(item))}</strong>
          <span class="faint">{whyOf(item)}</span>
        </>
      ),
      ...(together.has(item.kind) && {
        choice: () => ({
          'aria-label': labelled(desk.select, format.isolate(titleOf(item))),
          checked: this.#selected.has(key),
          onChange: () => this.#toggle(key),
        }),
      }),
      open: () => itemPanel(item, () => this.#together(item)),
      follow: async () => {
        if (this.view === item.kind) {
          const wasListed = work.items.some((one) => one.key === key)
          await this.#read('row')
          const listed = new Set(work.items.map((one) => one.key))
          this.#selected = this.#selected.intersection(listed)
          if (work.current?.key === key) await work.again()
          else if (!wasListed) await work.select(0)
          if (!work.current) elementBy('#desk-list-title').focus()
        }
        renewTotals()
      },
    }
  }

  #more(): void {
    // Acts come by whole pages.
    this.#most = Math.max(this.#most + pageSize, this.work.items.length + 1)
    void (this.view === 'acts' ? this.#alone(() => this.#acts()) : this.#read())
  }

  /** Shows what moderators did, with its undoing. */
  async #acts(): Promise<void> {
    const { items, isMore } = await readActs(this.#most, () => this.#acts().then(renewTotals))
    if (this.view !== 'acts') return
    this.#isMoreActs = isMore
    await (this.work.items.length > 0 ? this.work.renew(items) : this.work.show(items))
  }

  async #find(text: string): Promise<void> {
    const follow = (): Promise<void> => this.work.again().then(renewTotals)
    await this.work.show([{ key: text, row: () => null, open: () => foundPanel(text), follow }])
    this.work.focusDetail()
  }

  #keyed(name: 'undo' | 'select' | 'many', text: string) {
    const press = (): void => this.#press(keys[name])
    return <Button {...small} id={`desk-${name}`} shortcut={keys[name]} onPress={press} text={text} />
  }

  #page() {
    const { view, work } = this
    const read = (): void => void this.#read()
    return (
      <div id="desk-step-desk">
        <Problem text={this.problem} />
        <nav aria-label={desk.queues}>
          <ul class="actions">{views.map((name) => this.#link(name))}</ul>
        </nav>
        <div class="split desk-bar">
          <p class="row said">
            <span id="desk-status" role="status">
              {this.said}
            </span>
            <span id="desk-refused" class="quiet" role="status">
              {this.#refused.length > 0 && fill(desk.notDone, { pressed: this.#refused.join(', ') })}
            </span>
            {this.#undo && this.#keyed('undo', desk.undo)}
          </p>
          <span class="actions">
            <span id="desk-news" class="quiet" role="status">
              {this.#hasNews() && desk.news}
            </span>
            <span id="desk-selected" class="quiet" role="status">
              {this.#selected.size > 0 && format.count(desk.selected, this.#selected.size)}
            </span>
            {together.has(view) && work.current && this.#keyed('select', desk.select)}
            {this.#chosen().length > 0 && this.#keyed('many', desk.key.many)}
            <Button {...small} id="desk-reload" onPress={() => this.#reload()} text={desk.reload} />
            <Button
              {...small}
              id="desk-keys"
              shortcut={keys.help}
              onPress={() => void showKeys()}
              text={desk.keys}
            />
          </span>
        </div>
        {view === 'find' && (
          <Form
            id="desk-find"
            wordingOf={wordingOf}
            work={async (data) => void this.#find(textIn(data, 'sought'))}
            actions={<Button isSubmit icon="search" text={desk.find} />}
          >
            <Field label={desk.findLabel} hint={desk.findText} name="sought" />
          </Form>
        )}
        {view === 'webhooks' ? (
          <Webhooks host={this} reloads={this.#reloads} />
        ) : (
          <Work
            work={work}
            title={labels[view]}
            hasList={view !== 'find'}
            isReading={this.#reading !== undefined}
            instead={
              isQueue(view) &&
              (this.#failure !== undefined ? (
                <Failure text={wordingOf(this.#failure)} label={words.account.retry} retry={read} />
              ) : (
                !this.#reading && <p class="notice">{desk.nothing}</p>
              ))
            }
          >
            <p class="actions">
              <Button
                {...small}
                isHidden={view === 'acts' ? !this.#isMoreActs : this.#queue?.next === undefined}
                onPress={() => this.#more()}
                text={desk.more}
              />
            </p>
          </Work>
        )}
      </div>
    )
  }

  #link(name: View) {
    const total = isQueue(name) ? this.#queues.get(name)?.total : undefined
    return (
      <li key={name}>
        <a
          class="chip"
          href={`#${name}`}
          data-view={name}
          aria-current={name === this.view ? 'page' : undefined}
        >
          <span>{labels[name]}</span>{' '}
          <span
            class="desk-count"
            data-count
            title={total === undefined ? undefined : format.count(desk.waiting, total)}
          >
            {total !== undefined && format.number(total)}
          </span>
        </a>
      </li>
    )
  }
}

/** Asks at once for what follows from an own act. */
const renewTotals = (): void => announce('openfountain:sent')

/** Shows the desk to moderators; to others the reason and the remedy. */
async function begin(): Promise<void> {
  const user = await opened({ words: words.account, load: () => signedInUser(), wordingOf, draw })
  rememberUser(user)
  if (user?.isModerator) return new Desk().begin()
  draw(
    user ? (
      <div class="stack-4">
        <h2>{desk.notModerator}</h2>
        <p>
          {desk.notModeratorText} <a href={pages.acts}>{desk.acts.title}</a>
        </p>
      </div>
    ) : (
      <div id="desk-step-signed-out">
        <Instead text={desk.signedOut} label={words.account.signIn} href={pages.signIn} />
      </div>
    ),
  )
}

void begin()
