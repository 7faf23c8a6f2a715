import type { StoredWebhook } from '@openfountain/core/internal'
import { useEffect, useRef, useState } from 'preact/hooks'
import { exchange, type Refusal } from '../../api/request.ts'
import { elementBy } from '../../client/element-by.ts'
import { fill } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { isAgreed } from '../../ui/dialog.tsx'
import { Field, Form, Select, textIn, Toggles } from '../../ui/form.tsx'
import { List } from '../../ui/list.tsx'
import { errorWords, fieldWords } from '../../ui/refusal.ts'
import { Secret } from '../../ui/secret.tsx'
import { desk, format, labelled, withName, words } from './config.ts'

type Webhook = StoredWebhook & { readonly active: boolean }

interface Props {
  readonly host: { announce(text: string): void; showProblem(text: string): void }
  readonly reloads: number
}

const { hooks } = desk
const { problem } = hooks
const commands = ['test', 'rotate', 'resend'].map((name) => `openfountain webhook ${name}`).join(', ')
const narrowings = new Map([['', hooks.everywhere], ...Object.entries(hooks.of)])

const ofRefusals = {
  UNAUTHORIZED: problem.token,
  FORBIDDEN: problem.scope,
  NOT_FOUND: problem.gone,
  INVALID_INPUT: (refused: Refusal) => fieldWords(problem)(refused) ?? problem.what,
}
const wordingOf = (error: unknown): string =>
  errorWords(error, { problem: words.account.problem, format }, ofRefusals)

function factsOf({ description, events, what, active, ...last }: Webhook): string[] {
  const { attempts, nextAt, lastStatus, lastError, kept } = last
  const isFailing = active && attempts > 0
  const text = (value: unknown) => format.isolate(typeof value === 'string' ? value : JSON.stringify(value))
  return [
    description !== undefined && text(description),
    events?.map((name) => words.event[name]).join(', ') ?? hooks.all,
    ...Object.entries(what).map(([name, value]) => labelled(narrowings.get(name) ?? name, text(value))),
    active ? (isFailing ? format.count(hooks.failing, attempts) : hooks.on) : hooks.off,
    lastStatus !== undefined && fill(hooks.answer, { status: String(lastStatus) }),
    lastError !== undefined && labelled(hooks.why, text(lastError)),
    lastStatus === undefined && lastError === undefined && hooks.unsent,
    nextAt !== undefined && fill(hooks.next, { time: format.time(nextAt), date: format.date(nextAt) }),
    kept.length > 0 && format.count(hooks.kept, kept.length),
  ].filter((fact) => fact !== false)
}

const turnsOf = ({ active, attempts }: Webhook) =>
  !active
    ? (['switchOn'] as const)
    : attempts > 0
      ? (['again', 'switchOff'] as const)
      : (['switchOff'] as const)

export function Webhooks({ host, reloads }: Props) {
  const token = useRef('')
  const [found, setFound] = useState<{ webhooks: readonly Webhook[]; isPaused: boolean }>()
  const [made, setMade] = useState<{ webhook: Webhook; secret: string }>()
  const ask = async <Body,>(method: string, path = '', body?: unknown): Promise<Body> => {
    const headers = { authorization: `Bearer ${token.current}` }
    return (await exchange<Body>(method, `/webhooks${path}`, { body, headers, isAnonymous: true })).body
  }
  const read = async (): Promise<void> => setFound(await ask('GET'))
  const run = (work: () => Promise<string>): void =>
    void work()
      .then((said) => read().then(() => host.announce(said)))
      .then(() => '', wordingOf)
      .then((text) => host.showProblem(text))
  const forget = (): void => {
    token.current = ''
    setFound(undefined)
    setMade(undefined)
  }
  // The back/forward cache must not show the secret again.
  useEffect(() => {
    addEventListener('pagehide', forget)
    return () => removeEventListener('pagehide', forget)
  }, [])
  useEffect(() => found && run(async () => ''), [reloads])
  const change = ({ id, url }: Webhook, active: boolean): void =>
    run(async () => {
      await ask('PATCH', `/${id}`, { active })
      return withName(active ? hooks.did.on : hooks.did.off, url)
    })
  const remove = ({ id, url }: Webhook): void =>
    run(async () => {
      if (!(await isAgreed(withName(hooks.removeAsk, url), { yes: hooks.remove, no: desk.cancel }))) return ''
      await ask('DELETE', `/${id}`)
      if (made?.webhook.id === id) setMade(undefined)
      elementBy('#desk-list-title').focus()
      return withName(hooks.did.removed, url)
    })
  async function open(data: FormData): Promise<void> {
    token.current = textIn(data, 'token')
    await read()
    elementBy('#desk-list-title').focus()
  }
  async function add(data: FormData, form: HTMLFormElement): Promise<void> {
    const [only, value] = [textIn(data, 'only'), textIn(data, 'what')]
    const events = data.has('events') ? data.getAll('events') : undefined
    const what = only === '' ? undefined : { [only]: only === 'bbox' ? value.split(',').map(Number) : value }
    setMade(await ask('POST', '', { url: textIn(data, 'url'), events, what }))
    form.reset()
    await read()
  }
  const wrong = (data: FormData) =>
    (textIn(data, 'only') === '') === (textIn(data, 'what') === '') ? [] : ['what']
  const submit = (text: string) => ({ wordingOf, actions: <Button isSubmit text={text} /> })
  return (
    <section class="stack-4" id="desk-webhooks" aria-labelledby="desk-list-title">
      <h2 id="desk-list-title" tabIndex={-1}>
        {hooks.title}
      </h2>
      <p class="quiet">{hooks.lead}</p>
      {!found ? (
        <Form {...submit(hooks.show)} work={open}>
          {/* What fits no header is no token. */}
          <Field label={hooks.token} name="token" type="password" pattern="\s*[!-~]+\s*" required />
        </Form>
      ) : (
        <>
          {found.isPaused && <p class="notice">{hooks.paused}</p>}
          {made && (
            <Secret
              title={withName(hooks.secret, made.webhook.url)}
              secret={made.secret}
              copy={words.account.copy}
              copied={() => host.announce(words.account.copied)}
            />
          )}
          <List
            none={hooks.none}
            items={found.webhooks.map((webhook, id) => ({
              id,
              title: webhook.url,
              details: factsOf(webhook),
              actions: [
                ...turnsOf(webhook).map(
                  (name) => [hooks[name], () => change(webhook, name !== 'switchOff')] as const,
                ),
                [hooks.remove, () => remove(webhook)],
              ],
            }))}
          />
          <p class="faint">{fill(hooks.more, { commands })}</p>
          <h3>{hooks.add}</h3>
          <Form {...submit(hooks.add)} work={add} check={wrong}>
            <Field label={hooks.url} name="url" type="url" dir="ltr" required />
            <Toggles
              label={hooks.events}
              hint={hooks.eventsHint}
              name="events"
              options={Object.entries(words.event).map(([value, label]) => ({ value, label }))}
            />
            <Select
              label={hooks.only}
              name="only"
              options={[...narrowings].map(([value, label]) => ({ value, label }))}
            />
            <Field label={hooks.what} hint={hooks.whatHint} name="what" />
          </Form>
        </>
      )}
    </section>
  )
}
