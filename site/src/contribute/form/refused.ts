import type { Refusal } from '../../api/request.ts'
import type { Sheet } from '../dialog.ts'
import { refusalText, refusedFields } from '../problems.ts'
import type { Setting } from '../setting.ts'
import type { WaypointForm } from './waypoint-form.ts'

/** Says in a form of a fountain why the server refused it: beside the fields that were wrong, or as a whole. */
export function showRefusal(setting: Setting, sheet: Sheet, form: WaypointForm, refusal: Refusal): void {
  const isMarked = !form.markRefused(refusedFields(refusal))
  sheet.problem(isMarked ? setting.words.contribute.problem.marked : refusalText(setting, refusal))
}
