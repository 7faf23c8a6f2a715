import { exchange } from '../../api/request.ts'
import { textIn, Toggles } from '../../ui/form.tsx'
import { tell } from '../../ui/toast.tsx'
import { FormDraft } from '../drafts.ts'
import type { Submission } from '../outbox/submission.ts'
import { send } from '../sending.ts'
import type { Setting } from '../setting.ts'
import { Comment, openSheet } from '../sheet.tsx'

/** The subject of a report: a fountain, one of its reviews or photos, or a person. */
export interface Reported {
  readonly bubblerId?: number
  readonly reviewId?: number
  readonly photoId?: number
  readonly userId?: string
}

/** In the order in which they are likely. */
const fountainReasons = ['gone', 'wrong', 'duplicate', 'offensive', 'private'] as const
/** A review or a person has no position, and cannot be a duplicate. */
const otherReasons = ['offensive', 'private', 'wrong'] as const

/** The name of its draft: ids of fountains, reviews and photos overlap. */
function draftName({ bubblerId, reviewId, photoId, userId }: Reported): string {
  if (reviewId !== undefined) return `report:review:${reviewId}`
  if (photoId !== undefined) return `report:photo:${photoId}`
  return `report:${bubblerId ?? userId ?? ''}`
}

export async function report(
  setting: Setting,
  about: Reported,
  name: string,
  refused?: Submission,
): Promise<void> {
  const { contribute } = setting.words
  const draft = new FormDraft(setting, draftName(about), refused)
  const { reason, comment } = draft.begun
  const reasons = about.bubblerId === undefined ? otherReasons : fountainReasons
  const isAnonymous = setting.person === undefined && refused === undefined
  await openSheet(setting, {
    title:
      about.reviewId !== undefined
        ? contribute.reportReview
        : about.photoId !== undefined
          ? contribute.reportPhoto
          : setting.format.withName(contribute.reportTitle, name),
    fields: ['reason', 'comment'],
    submit: contribute.sendReport,
    draft,
    content: (
      <>
        <Toggles
          name="reason"
          label={contribute.reasonLegend}
          isOne
          looks="toggles-lines"
          options={reasons.map((value) => ({ value, label: contribute.reason[value] }))}
          chosen={[String(reason ?? '')]}
        />
        <Comment
          label={contribute.comment}
          hint={isAnonymous ? contribute.reportHintNameless : contribute.reportHint}
          value={comment}
        />
      </>
    ),
    async send(data) {
      const body = { ...about, reason: textIn(data, 'reason'), comment: textIn(data, 'comment') || undefined }
      const request = { kind: 'report', method: 'POST', path: '/reports', body, subject: name } as const
      if (!isAnonymous) return send(setting, request, contribute.reported, refused)
      // Not stored: the form keeps it until it is sent, without a name also when a user has signed in meanwhile.
      await exchange('POST', '/reports', { body, isAnonymous, timeoutMilliseconds: 30_000 })
      return tell(contribute.reported)
    },
  }).closed
}
