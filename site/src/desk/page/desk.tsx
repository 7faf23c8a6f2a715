import type { QueueItem } from '@openfountain/core'
import { render } from 'preact'
import { rememberUser, signedInUser } from '../../api/signed-in.ts'
import { siteOfPage } from '../../api/site.ts'
import { elementBy } from '../../client/element-by.ts'
import { LogReader } from '../../live/log.ts'
import { actSent, poll } from '../../live/polling.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Form, textIn } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { onPage } from '../../views/on-page.tsx'
import { Imports } from '../imports/imports.tsx'
import { deskViews, queueKinds, type DeskView, type QueueKind } from '../views.ts'
import { desk, format, page, pages, words, wordingOf } from './config.ts'
import { foundPanel, itemPanel, parseTarget, titleOf, whyOf } from './item-panel.tsx'
import { listenToKeys, showKeys } from './keys.tsx'
import type { Done, Setting, Undo } from './panel.tsx'
import { keyOf, readFountain, readQueue } from './requests.ts'
import { named } from './parts.tsx'
import { Work, Worklist, type WorkItem } from './worklist.tsx'

const labels = { ...desk.queue, find: desk.find, imports: desk.review }
const isQueue = (view: DeskView): view is QueueKind => view !== 'find' && view !== 'imports'

/** The moderation desk: queues, a search, and the files of doubtful imports. */
class Desk {
  step: 'wait' | 'signed-out' | 'not-moderator' | 'failed' | 'desk' = 'wait'
  view: DeskView = 'reported'
  problem = ''
  said = ''
  readonly work = new Worklist(() => this.draw())
  readonly #totals = new Map<QueueKind, number>()
  readonly #imports = new Imports(this)
  #undo: Undo | undefined
  /** Where the next page of the open queue begins. */
  #next: string | undefined
  #isReading = false
  /** The number of readings so far: only the answer of the last one is shown. */
  #readings = 0
  /** Whether the open queue could not be read. */
  #isUnread = false
  #isActing = false
  /** Whether something was written since the totals were read. */
  #isStale = true
  /** The open queue as it was when the totals were read. */
  #newest: { readonly total: number; readonly keys: readonly string[] } | undefined

  readonly draw = (): void => render(onPage(page, this.#page()), elementBy('#desk'))

  /** Shows the desk to moderators; to others the reason and the remedy. */
  async begin(): Promise<void> {
    this.step = 'wait'
    this.draw()
    try {
      const user = await signedInUser(siteOfPage())
      rememberUser(user)
      this.step = user === undefined ? 'signed-out' : user.isModerator ? 'desk' : 'not-moderator'
    } catch (error) {
      this.step = 'failed'
      this.problem = wordingOf(error)
    }
    this.draw()
    if (this.step !== 'desk') return
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
  readonly announce = (text: string, undo?: Undo): void => {
    this.said = text
    this.#undo = undo
    this.draw()
  }

  /** Undoes the last announced act, once. */
  async #undoLast(): Promise<void> {
    const undo = this.#undo
    if (undo === undefined) return
    const hadFocus = document.activeElement?.id === 'desk-undo'
    this.announce(this.said)
    if (hadFocus) elementBy('#desk-list-title').focus()
    try {
      await undo()
      this.showProblem('')
      this.announce(desk.undone)
      renewTotals()
    } catch (error) {
      this.announce('')
      this.showProblem(wordingOf(error))
    }
  }

  #press(key: string): void {
    if (key === 'j') void this.work.move(1)
    else if (key === 'k') void this.work.move(-1)
    else if (key === 'u') void this.#undoLast()
    else if (!this.#isActing) this.work.panel?.actions.find((action) => action.key === key)?.run()
  }

  /** Shows the view that the address names. */
  async #show(): Promise<void> {
    const name = location.hash.slice(1)
    const before = this.work.current?.key
    this.view = deskViews.find((one) => one === name) ?? 'reported'
    this.#next = undefined
    this.showProblem('')
    if (this.view === 'imports') return this.#imports.begin()
    await this.work.show([])
    if (this.view === 'find') elementBy('#desk-find input').focus()
    else await this.#read({ open: before })
  }

  /** Reads the open queue: from its beginning, where an item may be opened again, or its next page. */
  async #read({
    after,
    open,
  }: { readonly after?: string | undefined; readonly open?: string | undefined } = {}): Promise<void> {
    const { view } = this
    if (!isQueue(view)) return
    const reading = (this.#readings += 1)
    const isLate = (): boolean => reading !== this.#readings || view !== this.view
    this.#isReading = true
    this.#isUnread = false
    this.draw()
    try {
      const { items, total, next } = await readQueue(view, { after })
      if (isLate()) return
      this.#totals.set(view, total)
      this.#next = next
      this.#newest = undefined
      const found = items.map((item) => this.#item(item))
      // The items are there before the first of them has loaded.
      this.#isReading = false
      const place = found.findIndex(({ key }) => key === open)
      await (after === undefined ? this.work.show(found, place) : this.work.add(found))
    } catch (error) {
      if (isLate()) return
      this.#isUnread = after === undefined
      this.showProblem(wordingOf(error))
    } finally {
      if (reading === this.#readings) this.#isReading = false
      this.draw()
    }
  }

  /** Reads the totals of queues, and whether the open one has news; its list stays as it is. */
  async #renew(kinds: readonly QueueKind[]): Promise<void> {
    this.#isStale = false
    const { view, work } = this
    const { items: listed } = work
    try {
      for (const kind of kinds) {
        const { items, total } = await readQueue(kind, kind === view ? {} : { limit: 1 })
        this.#totals.set(kind, total)
        if (kind === view && work.items === listed) this.#newest = { total, keys: items.map(keyOf) }
      }
    } catch (error) {
      this.#isStale = true
      throw error
    } finally {
      this.draw()
    }
  }

  /** Whether the open queue has items that are not listed, or lists some that wait no longer. */
  #hasNews(): boolean {
    const { total, keys } = this.#newest ?? {}
    if (!keys || this.#isReading) return false
    const listed = new Set(this.work.items.map(({ key }) => key))
    return keys.some((key) => !listed.has(key)) || (this.#next === undefined && total !== listed.size)
  }

  #item(item: QueueItem): WorkItem {
    const decided = async (): Promise<void> => {
      if (await stillWaits(item)) {
        if (this.work.current !== listed) return
        await this.work.reopen()
        return this.work.focusDetail()
      }
      this.#newest = undefined
      await this.work.remove(listed)
      if (this.work.items.length > 0 || item.kind !== this.view) return
      if (this.#next !== undefined) await this.#read()
      elementBy('#desk-list-title').focus()
    }
    const setting = this.#setting(({ said, undo }) => {
      this.announce(said, undo && (() => undo().then(() => this.#read())))
      void decided()
        .catch((error: unknown) => this.showProblem(wordingOf(error)))
        .then(renewTotals)
    })
    const listed: WorkItem = {
      key: keyOf(item),
      row: () => (
        <>
          <strong>{named(titleOf(item))}</strong>
          <span class="faint">{whyOf(item)}</span>
        </>
      ),
      open: () => itemPanel(item, setting),
    }
    return listed
  }

  #find(text: string): void {
    const target = parseTarget(text)
    const open = () => foundPanel(target, this.#setting())
    const found: WorkItem = { key: text, row: () => null, open }
    void this.work.show([found]).then(() => this.work.focusDetail())
  }

  /** The setting for acts on the open item. @param decided called with an act that decides it; else it stays open */
  #setting(decided?: (done: Done) => void): Setting {
    const { work } = this
    return {
      done: (done) => {
        if (decided && !done.stays) return decided(done)
        const { said, undo } = done
        const reopen = (): Promise<void> => work.reopen().then(() => work.focusDetail())
        this.announce(said, undo && (() => undo().then(reopen)))
        void reopen()
        renewTotals()
      },
      again: (problem, more) => {
        const before = (
          <>
            <Problem text={problem} />
            {more}
          </>
        )
        void work.reopen(before).then(() => work.focusDetail())
      },
      attempt: (act) => {
        if (this.#isActing) return
        this.#isActing = true
        this.showProblem('')
        act()
          .catch((error: unknown) => this.showProblem(wordingOf(error)))
          .finally(() => (this.#isActing = false))
      },
      redraw: this.draw,
    }
  }

  #page() {
    switch (this.step) {
      case 'wait':
        return <p class="lead">{words.account.loading}</p>
      case 'signed-out':
        return (
          <div class="stack-4" id="desk-step-signed-out">
            <p class="lead">{desk.signedOut}</p>
            <p class="actions">
              <Button href={pages.signIn} text={words.account.signIn} />
            </p>
          </div>
        )
      case 'not-moderator':
        return (
          <div class="stack-4">
            <h2>{desk.notModerator}</h2>
            <p>
              {desk.notModeratorText} <a href={pages.acts}>{desk.acts.title}</a>
            </p>
          </div>
        )
      case 'failed':
        return (
          <div class="stack-4">
            <h2>{desk.failed}</h2>
            <p role="alert">{this.problem}</p>
            <p class="actions">
              <Button onPress={() => void this.begin()} text={desk.retry} />
            </p>
          </div>
        )
      case 'desk':
        return this.#desk()
    }
  }

  #desk() {
    const { view, work } = this
    const instead = this.#isUnread ? (
      <Button kind="quiet" onPress={() => void this.#read()} text={desk.retry} />
    ) : (
      isQueue(view) && !this.#isReading && <p class="notice">{desk.nothing}</p>
    )
    return (
      <div id="desk-step-desk">
        <Problem text={this.problem} />
        <nav aria-label={desk.queues}>
          <ul class="actions">
            {deskViews.map((name) => {
              const total = isQueue(name) ? this.#totals.get(name) : undefined
              return (
                <li key={name}>
                  <a
                    class="chip"
                    href={`#${name}`}
                    data-view={name}
                    aria-current={name === view ? 'page' : undefined}
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
            })}
          </ul>
        </nav>
        <div class="split desk-bar">
          <p class="row said">
            <span id="desk-status" role="status">
              {this.said}
            </span>
            {this.#undo && (
              <Button
                id="desk-undo"
                kind="quiet"
                isSmall
                shortcut="u"
                onPress={() => void this.#undoLast()}
                text={desk.undo}
              />
            )}
          </p>
          <span class="actions">
            <span id="desk-news" class="quiet" role="status">
              {this.#hasNews() && desk.news}
            </span>
            <Button
              kind="quiet"
              isSmall
              id="desk-reload"
              onPress={() => {
                this.announce('')
                this.#isStale = true
                void this.#show().then(renewTotals)
              }}
              text={desk.reload}
            />
            <Button
              kind="quiet"
              isSmall
              id="desk-keys"
              shortcut="?"
              onPress={() => void showKeys()}
              text={desk.keys}
            />
          </span>
        </div>
        {view === 'find' && (
          <Form
            id="desk-find"
            wordingOf={wordingOf}
            work={async (data) => this.#find(textIn(data, 'sought'))}
            actions={<Button isSubmit icon="search" text={desk.find} />}
          >
            <Field label={desk.findLabel} hint={desk.findText} name="sought" />
          </Form>
        )}
        {view === 'imports' && this.#imports.view()}
        <Work
          work={work}
          title={labels[view]}
          hasList={view !== 'find'}
          isReading={this.#isReading}
          instead={instead}
        >
          <p class="actions">
            <Button
              kind="quiet"
              isSmall
              isHidden={this.#next === undefined}
              onPress={() => void this.#read({ after: this.#next })}
              text={desk.more}
            />
          </p>
        </Work>
      </div>
    )
  }
}

/** Asks at once for what follows from an own act. */
const renewTotals = (): void => void document.dispatchEvent(new Event(actSent))

/** Whether an item is still in its queue after an act, such as the verification of one to approve. */
async function stillWaits({ kind, waypoint }: QueueItem): Promise<boolean> {
  const flag = { unapproved: 'approved', unverified: 'verified' } as const
  if (!waypoint || (kind !== 'unapproved' && kind !== 'unverified')) return false
  const found = await readFountain(waypoint.id)
  return 'waypoint' in found && !found.waypoint[flag[kind]]
}

void new Desk().begin()
