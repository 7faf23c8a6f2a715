import type { Command } from '../command.ts'
import { backup } from './backup.ts'
import { userBlock, userUnblock } from './blocks.ts'
import { copy } from './copy.ts'
import { doctor } from './doctor.ts'
import { logErasures, logEraseAgain } from './erasures.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { init } from './init.ts'
import { logShow } from './log-show.ts'
import { logHead, logVerify } from './log.ts'
import { mirror } from './mirror.ts'
import { userErase, userExport } from './personal-data.ts'
import { publish } from './publish.ts'
import { logRedact, logScrub } from './redactions.ts'
import { regionsAssign } from './regions.ts'
import { restore } from './restore.ts'
import {
  moderateActs,
  moderateDistinct,
  moderateEraseReport,
  moderateMerge,
  moderateQueue,
  moderateReopen,
  moderateReport,
  moderateReports,
} from './moderation.ts'
import { logRevert, moderateRevert, moderateRevertUser, userRevert } from './reverts.ts'
import { serve } from './serve.ts'
import { sessionCreate, sessionList, sessionRevoke, userSessions } from './sessions.ts'
import { userInvite, userLink } from './sign-in-links.ts'
import { siteBuild } from './site.ts'
import { importUndo, sourceList, sourceRemove } from './sources.ts'
import { stats } from './statistics.ts'
import { takedown } from './takedown.ts'
import { tokenCreate, tokenList, tokenRevoke } from './tokens.ts'
import { userAdd, userGrant, userList, userModerator, userRename, userShow } from './users.ts'
import {
  reviewRemove,
  waypointApprove,
  waypointRemove,
  waypointRestore,
  waypointShow,
  waypointVerify,
} from './waypoints.ts'

/** Every command, in the order in which --help lists them. */
export const commands: readonly Command[] = [
  init,
  serve,
  doctor,
  importCommand,
  importUndo,
  exportCommand,
  mirror,
  sourceList,
  sourceRemove,
  regionsAssign,
  siteBuild,
  publish,
  waypointShow,
  waypointApprove,
  waypointVerify,
  waypointRemove,
  waypointRestore,
  reviewRemove,
  takedown,
  userInvite,
  userLink,
  userAdd,
  userList,
  userShow,
  userRename,
  userSessions,
  userModerator,
  userGrant,
  userBlock,
  userUnblock,
  userRevert,
  userExport,
  userErase,
  moderateQueue,
  moderateActs,
  moderateRevert,
  moderateRevertUser,
  moderateMerge,
  moderateDistinct,
  moderateReports,
  moderateReport,
  moderateReopen,
  moderateEraseReport,
  sessionCreate,
  sessionList,
  sessionRevoke,
  tokenCreate,
  tokenList,
  tokenRevoke,
  logVerify,
  logHead,
  logShow,
  logRedact,
  logScrub,
  logErasures,
  logEraseAgain,
  logRevert,
  stats,
  backup,
  restore,
  copy,
]
