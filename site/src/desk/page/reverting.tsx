import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { send } from '../../api/once.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Form, textIn, wrongFields } from '../../ui/form.tsx'
import { inDialog, momentIn, ReasonField, type Act } from './act.tsx'
import { desk, entryName, fieldName, format, labelled, personName, wordingOf } from './config.ts'
import { pathOf, type NamedPerson } from './requests.ts'
import { revertPages, type RevertPage, type RevertSum } from './revert-pages.ts'

/** The person whose changes may be reverted, with the suggested start time. */
export interface PersonToRevert extends NamedPerson {
  readonly since?: string | undefined
}

/** Reverts a person's changes since a time: a preview first, then page by page. */
export const revertPerson = (person: PersonToRevert): Act => ({
  label: desk.revertPerson,
  async work() {
    let undone = 0
    await inDialog(labelled(desk.revertPerson, format.isolate(personName(person))), (close) => (
      <Reverting person={person} close={close} onUndone={(count) => (undone = count)} />
    ))
    return undone > 0 ? { said: format.count(desk.revertedAll, undone) } : undefined
  },
})

function Reverting({
  person,
  close,
  onUndone,
}: {
  readonly person: PersonToRevert
  readonly close: () => void
  /** Takes the number of changes reverted so far. */
  readonly onUndone: (count: number) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  const undone = useRef(0)
  const [stopping, setStopping] = useState<AbortController>()
  const [{ shown, isReady }, show] = useState<{ shown?: ComponentChildren; isReady?: boolean }>({})
  useLayoutEffect(() => {
    if (isReady) place.current?.closest('form')?.querySelector<HTMLElement>('.button-danger')?.focus()
  }, [isReady])
  useLayoutEffect(() => {
    // Escape ends running work before it closes the dialog.
    const stop = (): void => stopping?.abort()
    const dialog = place.current?.closest('dialog')
    dialog?.addEventListener('cancel', stop)
    return () => dialog?.removeEventListener('cancel', stop)
  }, [stopping])

  async function work(data: FormData): Promise<void> {
    const isDry = data.get('all') === null
    if (!isDry && textIn(data, 'reason') === '') throw wrongFields('reason')
    const running = new AbortController()
    setStopping(running)
    const { signal } = running
    const earlier = undone.current
    const reason = textIn(data, 'reason') || (isDry ? desk.dryRun : '')
    const body = { since: momentIn(data, 'since'), reason, ...(isDry && { dryRun: true }) }
    show({ shown: isDry ? desk.dryRunning : format.count(desk.reverting, 0) })
    try {
      let sum: RevertSum | undefined
      const page = (before: number | undefined): Promise<RevertPage> =>
        send('POST', `${pathOf(person)}/revert`, { ...body, before })
      for await (sum of revertPages(page)) {
        if (!isDry) {
          onUndone((undone.current = earlier + sum.reverted))
          show({ shown: format.count(desk.reverting, sum.reverted) })
        }
        if (signal.aborted) break
      }
      if (!sum) return
      if (isDry) show({ shown: <Summary sum={sum} />, isReady: sum.reverted > 0 && !signal.aborted })
      else if (sum.isWhole) close()
      else show({ shown: format.count(desk.stopped, sum.reverted) })
    } catch (error) {
      show({ shown: undone.current > 0 && format.count(desk.stopped, undone.current) })
      throw error
    } finally {
      setStopping(undefined)
    }
  }
  return (
    <Form
      wordingOf={wordingOf}
      work={work}
      actions={
        <>
          <Button
            kind="quiet"
            text={stopping ? desk.stop : desk.cancel}
            onPress={stopping ? () => stopping.abort() : close}
          />
          <Button isSubmit text={desk.dryRun} />
          <Button kind="danger" isSubmit name="all" isHidden={!isReady} text={desk.revertAll} />
        </>
      }
    >
      <p>{desk.revertPersonText}</p>
      {/* A preview is only valid for its start time. */}
      <Field
        type="datetime-local"
        label={desk.sinceDay}
        name="since"
        defaultValue={person.since?.slice(0, 16)}
        required
        onInput={() => show({})}
      />
      <ReasonField />
      <div class="stack-3" role="status" ref={place}>
        {shown}
      </div>
    </Form>
  )
}

const mostShown = 50

function Summary({ sum: { reverted, conflicts } }: { readonly sum: RevertSum }) {
  if (reverted === 0 && conflicts.length === 0) return <p>{desk.wouldNothing}</p>
  return (
    <>
      <p>{format.count(desk.wouldRevert, reverted)}</p>
      {conflicts.length > 0 && (
        <>
          <p>{format.count(desk.wouldConflict, conflicts.length)}</p>
          <ul class="desk-conflicts">
            {conflicts.slice(0, mostShown).map(({ entry, fields }) => {
              const names = fields.filter((one) => one !== 'deletedAt').map(fieldName)
              return (
                <li key={entry}>
                  {names.length > 0 ? labelled(entryName(entry), names.join(', ')) : entryName(entry)}
                </li>
              )
            })}
            {conflicts.length > mostShown && <li>…</li>}
          </ul>
        </>
      )}
    </>
  )
}
