import type { Refusal } from '../../api/request.ts'
import type { Sheet } from '../dialog.tsx'
import { refusalText, refusedFields } from '../problems.ts'
import type { Setting } from '../setting.ts'
import type { WaypointForm } from './waypoint-form.ts'

/** Shows a refusal in the form of a fountain: beside the invalid fields, or for the whole form. */
export function showRefusal(setting: Setting, sheet: Sheet, form: WaypointForm, refusal: Refusal): void {
  const isMarked = !form.markRefused(refusedFields(refusal))
  sheet.problem(isMarked ? setting.words.contribute.problem.marked : refusalText(setting, refusal))
}
