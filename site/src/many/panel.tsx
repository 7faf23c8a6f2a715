import type { Waypoint } from '@openfountain/core'
import type { ManyChanged } from '@openfountain/core/internal'
import { limits, moderation } from '@openfountain/core/rules'
import { useEffect, useRef, useState } from 'preact/hooks'
import { send } from '../api/once.ts'
import { isRefusal, Refusal } from '../api/request.ts'
import { announce } from '../client/announce.ts'
import { waypointControls, type Control } from '../contribute/form/controls.tsx'
import type { Setting } from '../contribute/setting.ts'
import { refusalText } from '../contribute/wording.ts'
import { fill } from '../messages.ts'
import '../styles/contribute.css'
import { Button } from '../ui/button.tsx'
import { openDialog } from '../ui/dialog.tsx'
import { Field, Form, Select, textIn, wrongFields } from '../ui/form.tsx'
import { tell } from '../ui/toast.tsx'
import { undoAct } from './undo.ts'

export type Chosen = Pick<Waypoint, 'id' | 'name'> & Partial<Pick<Waypoint, 'amenities'>>

const flags = {
  approve: { approved: true },
  unapprove: { approved: false },
  verify: { verified: true },
  unverify: { verified: false },
} as const
const fields = ['season', 'maintainer', 'access', 'drinkable'] as const
const lists = ['addAmenities', 'removeAmenities'] as const

type Act = keyof typeof flags | (typeof fields)[number] | (typeof lists)[number] | 'remove'

const isOneOf = <Name extends string>(names: readonly Name[], act: string): act is Name =>
  names.some((name) => name === act)

const controlOf = (controls: readonly Control[], act: string): Control | undefined =>
  controls.find(({ name }) => name === (isOneOf(lists, act) ? 'amenities' : isOneOf(fields, act) && act))

function changeIn(data: FormData, act: string, control: Control | undefined): object {
  if (act === 'remove') return { remove: true }
  if (Object.hasOwn(flags, act)) return { set: flags[act as keyof typeof flags] }
  if (!control) throw wrongFields('act')
  const { name, kind } = control
  const texts = data.getAll(name).map((text) => String(text).trim())
  const isEmpty = texts.every((text) => text === '')
  const value = isEmpty ? null : kind.valueOf(texts)
  if (isOneOf(lists, act) ? isEmpty : typeof value === 'string' && value.includes('?'))
    throw wrongFields(name)
  return { set: { [act]: value } }
}

function announceChange(setting: Setting, said: string, act: number): void {
  const { many } = setting.words
  const undo = async (): Promise<void> => {
    try {
      const said = await undoAct(act, many.undoReason, many, setting.format)
      announce('openfountain:sent')
      tell(said)
    } catch (error) {
      tell(wordingOf(setting, error), { label: many.undo, pressed: () => void undo() })
    }
  }
  tell(said, { label: many.undo, pressed: () => void undo() })
}

function wordingOf(setting: Setting, error: unknown): string {
  const { words, format } = setting
  if (isRefusal(error, 'FORBIDDEN') && typeof error.details['reason'] !== 'string')
    return words.many.notAllowed
  const isTooMany = error instanceof Refusal && error.fields.some((name) => name.startsWith('where'))
  if (isTooMany) return fill(words.many.tooMany, { most: format.number(moderation.changedAtOnce) })
  return refusalText(setting, error)
}

export function openMany(setting: Setting, chosen: readonly Chosen[], done?: () => void): void {
  const { words, format } = setting
  const most = moderation.changedAtOnce
  if (chosen.length === 0) return tell(words.many.none)
  if (chosen.length > most) return tell(fill(words.many.tooMany, { most: format.number(most) }))
  const dialog = openDialog({ title: words.many.title, close: words.map.close, class: 'sheet many' })
  const finished = (said: string, act: number | undefined): void => {
    dialog.close()
    if (act === undefined) return tell(said)
    announceChange(setting, said, act)
    announce('openfountain:sent')
    done?.()
  }
  dialog.show(<Many setting={setting} chosen={chosen} close={dialog.close} finished={finished} />)
}

interface ManyProps {
  readonly setting: Setting
  readonly chosen: readonly Chosen[]
  close(): void
  /** Closes the panel with a sentence, and the act; undefined where nothing changed. */
  finished(said: string, act: number | undefined): void
}

const mostListed = 300

function Many({ setting, chosen, close, finished }: ManyProps) {
  const { words, format, page } = setting
  const { many } = words
  const [act, setAct] = useState('')
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  /** The answer of the dry run to the form as it is. */
  const [tried, setTried] = useState<Required<Pick<ManyChanged, 'changed' | 'matched'>>>()
  const go = useRef<HTMLDivElement>(null)
  const controls = waypointControls(setting, { isNew: true })
  const control = controlOf(controls, act)
  const ids = chosen.flatMap(({ id }) => (left.has(id) ? [] : [id]))
  useEffect(() => {
    if (tried && tried.changed.length > 0) go.current?.scrollIntoView({ block: 'nearest' })
  }, [tried])

  async function work(data: FormData): Promise<void> {
    if (act === '') throw wrongFields('act')
    if (ids.length === 0) throw wrongFields('where')
    const isDry = data.get('all') === null
    const reason = textIn(data, 'reason')
    const isRemoval = act === 'remove'
    const body = { where: { ids }, ...changeIn(data, act, control), ...(reason !== '' && { reason }) }
    if (!isDry && isRemoval && reason === '') throw wrongFields('reason')
    const answer = await send<ManyChanged>('POST', '/moderation/waypoints', {
      ...body,
      ...(isDry && { dryRun: true }),
    })
    const { changed, matched = changed.length } = answer
    if (isDry) return setTried({ changed, matched })
    finished(format.count(isRemoval ? many.removed : many.changed, changed.length), answer.act)
  }

  const labels: Readonly<Record<Act, string>> = {
    season: labelOf(controls, 'season'),
    approve: many.approve,
    unapprove: many.unapprove,
    verify: many.verify,
    unverify: many.unverify,
    addAmenities: many.addAmenities,
    removeAmenities: many.removeAmenities,
    maintainer: labelOf(controls, 'maintainer'),
    access: labelOf(controls, 'access'),
    drinkable: labelOf(controls, 'drinkable'),
    remove: many.delete,
  }
  const count = tried?.changed.length ?? 0
  const same = (tried?.matched ?? 0) - count
  const gone = ids.length - (tried?.matched ?? ids.length)
  return (
    <Form
      wordingOf={(error) => (ids.length === 0 ? many.none : wordingOf(setting, error))}
      changed={(data) => {
        setTried(undefined)
        setAct(textIn(data, 'act'))
      }}
      work={work}
      actions={
        <>
          <Button kind="quiet" text={many.cancel} onPress={close} />
          <Button kind={tried ? 'quiet' : 'main'} isSubmit text={many.dryRun} />
          <Button
            kind={act === 'remove' ? 'danger' : 'main'}
            isSubmit
            name="all"
            isHidden={count === 0}
            text={format.count(act === 'remove' ? many.remove : many.change, count)}
          />
        </>
      }
    >
      <div class="stack-4 sheet-body">
        <p>
          <strong id="many-chosen" role="status">
            {format.count(many.chosen, ids.length)}
          </strong>
        </p>
        <details class="fold">
          <summary>{many.which}</summary>
          <ul class="stack-1 many-list">
            {chosen.slice(0, mostListed).map((one) => (
              <li key={one.id}>
                <label class="flag">
                  <input
                    type="checkbox"
                    checked={!left.has(one.id)}
                    onChange={({ currentTarget: { checked } }) => {
                      const others = new Set(left)
                      if (checked) others.delete(one.id)
                      else others.add(one.id)
                      setLeft(others)
                    }}
                  />
                  <bdi>{page.title({ amenities: [], ...one })}</bdi>
                </label>
              </li>
            ))}
          </ul>
          {chosen.length > mostListed && (
            <p class="faint">{format.count(many.others, chosen.length - mostListed)}</p>
          )}
        </details>
        <Select
          name="act"
          label={many.act}
          chosen={act}
          options={[
            { value: '', label: '–' },
            ...Object.entries(labels).map(([value, label]) => ({ value, label })),
          ]}
        />
        {control && (
          <div key={act} class="stack-2">
            {control.kind.view(setting, control, [])}
            {isOneOf(fields, act) && <p class="faint">{many.clears}</p>}
          </div>
        )}
        <Field
          name="reason"
          label={act === 'remove' ? many.reason : many.reasonOptional}
          hint={many.reasonHint}
          maxLength={limits.description}
        />
        <div id="many-would" role="status" ref={go}>
          {tried && (
            <p>
              <strong>{format.count(many.would, count)}</strong>{' '}
              {same > 0 && act !== 'remove' && format.count(many.same, same)}{' '}
              {gone > 0 && format.count(many.gone, gone)}
            </p>
          )}
        </div>
      </div>
    </Form>
  )
}

const labelOf = (controls: readonly Control[], name: string): string =>
  controls.find((control) => control.name === name)?.label ?? name
