import { sql } from 'kysely'
import { quoted } from './noun-text.ts'

/** An entry about a waypoint without its changes, as the text of a JSON object. */
export const logEntryText = sql<string>`'{"id":' || id || ',"bubblerId":' || "subjectId" || ',"userId":' || ${quoted(sql.ref('by'))}
  || ',"action":"' || action || '","timestamp":"' || at || '"}'`
