import type { ErrorCode } from '@openfountain/core'

/** The command's exit codes; scripts may rely on them. */
export const exitCodes = {
  done: { code: 0, meaning: 'Done' },
  failed: { code: 1, meaning: 'Failed for a reason that has no code of its own' },
  usage: { code: 2, meaning: 'Wrong usage: an unknown command or option, or an invalid value' },
  notFound: { code: 3, meaning: 'User, session, token, entry or file not found' },
  unverified: { code: 4, meaning: 'The log, a copy or a mirror does not verify' },
  refused: {
    code: 5,
    meaning:
      'Refused by the registry: conflicting licences, something that was changed since, or something that is not allowed',
  },
  unreadable: {
    code: 6,
    meaning: 'A file to import or to build from cannot be used as it is; nothing was written',
  },
  unreachable: {
    code: 7,
    meaning: 'Another instance cannot be reached, or does not respond as an instance does',
  },
  unwell: { code: 8, meaning: 'doctor found something that is not as it should be' },
  busy: { code: 10, meaning: 'Another process holds the database, the port, or the folder of a site' },
  full: { code: 11, meaning: 'The disk is full or failing; nothing was written' },
  readOnly: { code: 12, meaning: 'The database or a folder cannot be written' },
  corrupt: { code: 13, meaning: 'The database file is damaged, or not a registry' },
  missing: { code: 14, meaning: 'The database or its folder does not exist' },
  newer: { code: 15, meaning: 'The database was written by a newer openfountain' },
  older: {
    code: 16,
    meaning: 'The database was written by an earlier openfountain: upgrade brings it to this one',
  },
  notErased: { code: 17, meaning: 'Not done: text that was redacted is still held; log scrub finishes it' },
  clockBehind: {
    code: 18,
    meaning: 'The clock is more than a day behind the last write; nothing was written',
  },
  databaseUnreachable: {
    code: 19,
    meaning: 'The database server cannot be reached, is too old, or does not let the command in',
  },
  notAccepted: {
    code: 20,
    meaning:
      'An import stopped before it wrote anything: it would take away or take back more than it should; --accept goes on',
  },
  interrupted: { code: 130, meaning: 'Stopped by Ctrl-C' },
} as const

export type ExitName = keyof typeof exitCodes

export const exitOfError: Readonly<Record<ErrorCode, ExitName>> = {
  INVALID_INPUT: 'usage',
  INVALID_COORDINATES: 'usage',
  UNAUTHORIZED: 'refused',
  INSUFFICIENT_XP: 'refused',
  FORBIDDEN: 'refused',
  NOT_FOUND: 'notFound',
  RATE_LIMITED: 'refused',
  PRECONDITION_FAILED: 'refused',
  IDEMPOTENCY_MISMATCH: 'refused',
  CONFLICT: 'refused',
  NOT_ACCEPTED: 'notAccepted',
  DUPLICATE: 'refused',
  UNAVAILABLE: 'unreachable',
  REGISTRY_CLOSED: 'unreachable',
  CLOCK_BEHIND: 'clockBehind',
  STORAGE_UNAVAILABLE: 'databaseUnreachable',
  STORAGE_BUSY: 'busy',
  STORAGE_FULL: 'full',
  STORAGE_READ_ONLY: 'readOnly',
  STORAGE_CORRUPT: 'corrupt',
  STORAGE_MISSING: 'missing',
  STORAGE_NEWER: 'newer',
  STORAGE_OLDER: 'older',
  STORAGE_NOT_ERASED: 'notErased',
  CHAIN_BROKEN: 'unverified',
}

/** The exit code and the message of each error of the operating system. */
export const systemErrors: Readonly<Record<string, readonly [exit: ExitName, message: string]>> = {
  ENOENT: ['notFound', 'file or folder not found'],
  ENOTDIR: ['notFound', 'a part of this path is a file, not a folder'],
  EISDIR: ['usage', 'this is a folder, a file is needed'],
  EEXIST: ['usage', 'this exists already'],
  EADDRINUSE: ['busy', 'the port is taken by another program; choose another one with --port'],
  EADDRNOTAVAIL: ['usage', 'this machine does not have this address; choose another one with --host'],
  ENOSPC: ['full', 'the disk is full; make room and try again'],
  EDQUOT: ['full', 'the disk quota is used up; make room and try again'],
  EFBIG: ['full', 'the file is larger than this system allows; nothing was written'],
  EROFS: ['readOnly', 'the disk is mounted read-only'],
  EACCES: ['readOnly', 'the permission is missing; check the owner and the mode of the file and its folder'],
  EPERM: [
    'readOnly',
    'the operation is not permitted; check the owner and the mode of the file and its folder',
  ],
}
