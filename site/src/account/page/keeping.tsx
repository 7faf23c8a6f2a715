import { limits, moderation, observing } from '@openfountain/core/rules'
import { useState } from 'preact/hooks'
import { send } from '../../api/once.ts'
import { isRefusal, request } from '../../api/request.ts'
import { rememberReturn } from '../../api/return.ts'
import { rememberUser, signInOffer } from '../../api/signed-in.ts'
import { saveFile } from '../../client/save-file.ts'
import { waypointControls } from '../../contribute/form/controls.tsx'
import { settingOfPage, type Setting } from '../../contribute/setting.ts'
import { refusalText } from '../../contribute/wording.ts'
import { fileOf } from '../../explore/files.ts'
import { fill } from '../../messages.ts'
import '../../styles/contribute.css'
import { Button } from '../../ui/button.tsx'
import { Field, Form, Select, textIn, wrongFields } from '../../ui/form.tsx'
import { Instead } from '../../ui/opened.tsx'
import { Problem } from '../../ui/problem.tsx'
import { withRecentSignIn } from './again.tsx'
import { config, format, words } from './config.ts'
import { fileRows, keeperActs, keptBy, keptRow, sayOf, type Kept, type KeeperAct } from './kept.ts'
import { announce, begun, showStep } from './page.tsx'
import { wordingOf } from './wording.ts'

const text = words.keeping

interface Shown {
  readonly setting: Setting
  readonly kept: readonly Kept[]
  readonly isFaulty: boolean
  readonly chosen: ReadonlySet<number>
}

const readable = ({ page, words: { contribute } }: Setting) => ({ page, text, reasons: contribute.reason })

/** Reads the list again; the selection loses what is no longer in it. @throws Refusal */
async function readAgain(shown: Shown, change: Partial<Shown> = {}): Promise<void> {
  const next = { ...shown, ...change }
  const kept = await keptBy(request, next.isFaulty)
  const ids = new Set(kept.map(({ waypoint }) => waypoint.id))
  show({ ...next, kept, chosen: ids.intersection(next.chosen) })
}

const sendRecently = <Body,>(...given: Parameters<typeof send>): Promise<Body> =>
  withRecentSignIn(() => send<Body>(...given))

function Saying({ shown }: { readonly shown: Shown }) {
  const { setting, chosen } = shown
  const { contribute, many, account } = setting.words
  const [act, setAct] = useState('')
  const season = waypointControls(setting, { isNew: true }).find(({ name }) => name === 'season')
  const labels: Readonly<Record<KeeperAct, string | undefined>> = { ...text.acts, season: season?.label }
  const today = Date.now()
  const dayIn = (days: number): string => new Date(today + days * 86_400_000).toISOString().slice(0, 10)
  const wording = (error: unknown): string =>
    chosen.size > moderation.changedAtOnce
      ? fill(many.tooMany, { most: format.number(moderation.changedAtOnce) })
      : isRefusal(error, 'FORBIDDEN') && typeof error.details['reason'] !== 'string'
        ? text.notYours
        : refusalText(setting, error)

  async function work(data: FormData): Promise<void> {
    const known = keeperActs.find((each) => each === act)
    if (known === undefined) throw wrongFields('act')
    if (chosen.size > moderation.changedAtOnce) throw wrongFields('ids')
    const texts = data.getAll('season').map(String)
    const value = texts.every((each) => each === '') ? null : (season?.kind.valueOf(texts) as string)
    if (value?.includes('?')) throw wrongFields('season')
    const left = new Set(chosen)
    const said = {
      act: known,
      ids: [...chosen],
      until: textIn(data, 'until'),
      season: value,
      comment: textIn(data, 'comment'),
    }
    try {
      await sayOf(said, sendRecently, (id) => left.delete(id))
    } catch (error) {
      if (isRefusal(error, 'FORBIDDEN') || left.size < chosen.size) await readAgain(shown, { chosen: left })
      throw error
    }
    await readAgain(shown, { chosen: left })
    announce(format.count(many.changed, chosen.size))
  }
  return (
    <Form
      class="box kept-saying"
      wordingOf={wording}
      changed={(data) => setAct(textIn(data, 'act'))}
      work={work}
      actions={<Button isSubmit text={account.save} />}
    >
      <p role="status">
        <strong>{format.count(many.chosen, chosen.size)}</strong>
      </p>
      <Select
        name="act"
        label={many.act}
        chosen={act}
        options={[
          { value: '', label: '–' },
          ...keeperActs.map((value) => ({ value, label: labels[value] ?? value })),
        ]}
      />
      {act === 'off' && (
        <Field
          name="until"
          type="date"
          label={text.until}
          min={dayIn(0)}
          max={dayIn(observing.closedAtMostDays)}
          required
        />
      )}
      {act === 'season' && season && season.kind.view(setting, season, [])}
      {act !== '' && (
        <Field
          key={act}
          name="comment"
          label={act === 'season' ? many.reason : contribute.comment}
          hint={act === 'season' ? many.reasonHint : contribute.observe.commentHint}
          maxLength={act === 'season' ? limits.description : limits.comment}
          required={act === 'season'}
        />
      )}
    </Form>
  )
}

function Table({ shown }: { readonly shown: Shown }) {
  const { setting, kept, chosen } = shown
  const choose = (ids: readonly number[], isChosen: boolean): void => {
    const next = new Set(chosen)
    for (const id of ids)
      if (isChosen) next.add(id)
      else next.delete(id)
    show({ ...shown, chosen: next })
  }
  const box = (label: string, ids: readonly number[]) => (
    <input
      type="checkbox"
      aria-label={label}
      checked={ids.length > 0 && ids.every((id) => chosen.has(id))}
      onChange={({ currentTarget: { checked } }) => choose(ids, checked)}
    />
  )
  const all = kept.map(({ waypoint }) => waypoint.id)
  return (
    <div class="table-wrap">
      <table class="table" id="kept">
        <thead>
          <tr>
            <th scope="col">{box(text.all, all)}</th>
            {Object.values(text.columns).map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kept.map((each) => {
            const { id } = each.waypoint
            const row = keptRow(each, readable(setting))
            return (
              <tr key={id}>
                <td>{box(row.name, [id])}</td>
                <th scope="row">
                  <a href={setting.page.fountain(id, false)}>
                    <bdi>{row.name}</bdi>
                  </a>{' '}
                  <span class="quiet">{id}</span>
                </th>
                {[row.state, row.since, row.season].map((cell) => (
                  <td>{cell}</td>
                ))}
                <td dir="auto" class="kept-reports">
                  {row.reports}
                </td>
                <td>
                  {each.photos.map(({ id: photo, alt, urls }) => (
                    <a key={photo} href={urls.large} target="_blank" rel="noopener">
                      <img
                        src={urls.small}
                        alt={alt ?? fill(text.photo, { id: format.number(photo) })}
                        height={64}
                        loading="lazy"
                      />
                    </a>
                  ))}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function KeepingPage(shown: Shown) {
  const { setting, kept, isFaulty } = shown
  const [problem, setProblem] = useState('')
  const only = (faults: boolean): void => {
    setProblem('')
    readAgain(shown, { isFaulty: faults }).catch((error: unknown) => setProblem(wordingOf(error, 'other')))
  }
  const save = (): void => saveFile(fileOf('csv', fileRows(kept, readable(setting))), `${text.file}.csv`)
  return (
    <div class="stack-4">
      <Problem text={problem} />
      <p class="actions">
        <Button kind="quiet" text={text.faults} isPressed={isFaulty} onPress={() => only(!isFaulty)} />
        {kept.length > 0 && <Button kind="quiet" text={text.save} onPress={save} />}
        <Button kind="quiet" text={words.follow} href={setting.page.address('following/?keeps')} />
      </p>
      {kept.length === 0 ? (
        <p class="quiet">{isFaulty ? text.none : text.nothing}</p>
      ) : (
        <Table shown={shown} />
      )}
      {shown.chosen.size > 0 && <Saying shown={shown} />}
    </div>
  )
}

function show(shown: Shown): void {
  showStep({ id: 'step-keeping', title: text.title, content: <KeepingPage {...shown} /> })
}

async function begin(): Promise<void> {
  const found = await begun(text.title, async () => {
    const { user } = await signInOffer()
    if (user === null) return undefined
    rememberUser(user)
    return { kept: await keptBy(request, false), setting: await settingOfPage() }
  })
  if (found) return show({ ...found, isFaulty: false, chosen: new Set() })
  rememberReturn(location.pathname)
  const content = <Instead text={text.lead} label={words.signIn} href={config.pages.signIn} />
  showStep({ id: 'step-signed-out', title: words.signedOut, content })
}

void begin()
