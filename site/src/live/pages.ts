/** The script of pages that follow the log, where there is an API; its parts look for what they follow. */
import './fountain-page.ts'
import './lists.ts'

export { stateNow } from './state-now.ts'
