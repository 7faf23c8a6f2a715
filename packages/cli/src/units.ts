/** The machine, as needed for units. */
export interface Machine {
  /** The absolute path of the registry's folder: database, settings, backups and site. */
  readonly folder: string
  /** The user of the services. */
  readonly user: string
  /** The command line of openfountain: its path, or Node's and the program's. */
  readonly command: string
  /** Whether the database is on a server, so that publishing and backups need the network. */
  readonly isOnServer: boolean
}

/** Folders hidden by `ProtectHome=yes`. */
const homes = /(?:^| )\/(?:home|root|run\/user)\//u

/** The variable parts of a service unit. */
interface Service {
  readonly description: string
  /** `oneshot` ends by itself. */
  readonly type: 'exec' | 'oneshot'
  readonly environment?: readonly string[]
  readonly run: readonly string[]
}

/** The sandbox of a service. */
function confinement({ folder, command, isOnServer }: Machine, { type }: Service): string[] {
  const isJob = type === 'oneshot'
  const isAlone = isJob && !isOnServer
  const families = isAlone ? 'AF_UNIX' : 'AF_INET AF_INET6 AF_UNIX AF_NETLINK'
  return [
    'UMask=0077',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'ProtectSystem=strict',
    `ReadWritePaths=${folder}`,
    `ProtectHome=${homes.test(`${folder}/ ${command}`) ? 'read-only' : 'yes'}`,
    ...(isJob ? ['ProtectProc=invisible'] : []),
    'ProtectClock=yes',
    'ProtectHostname=yes',
    'ProtectKernelLogs=yes',
    'PrivateTmp=yes',
    'PrivateDevices=yes',
    ...(isAlone ? ['# It reads and writes files alone.', 'PrivateNetwork=yes'] : []),
    'ProtectKernelTunables=yes',
    'ProtectKernelModules=yes',
    'ProtectControlGroups=yes',
    `RestrictAddressFamilies=${families}`,
    'RestrictNamespaces=yes',
    'RestrictRealtime=yes',
    'RestrictSUIDSGID=yes',
    'LockPersonality=yes',
    'SystemCallArchitectures=native',
    'SystemCallFilter=@system-service',
  ]
}

function serviceText(machine: Machine, service: Service): string {
  const isJob = service.type === 'oneshot'
  return [
    '[Unit]',
    `Description=${service.description}`,
    ...(isJob ? [] : ['After=network.target']),
    '',
    '[Service]',
    ...(isJob ? ['Type=oneshot'] : []),
    `User=${machine.user}`,
    `WorkingDirectory=${machine.folder}`,
    `EnvironmentFile=${machine.folder}/openfountain.env`,
    ...(service.environment ?? []),
    ...service.run,
    '',
    ...confinement(machine, service),
    ...(isJob ? [] : ['', '[Install]', 'WantedBy=multi-user.target']),
    '',
  ].join('\n')
}

function timerText(description: string, when: readonly string[]): string {
  return [
    '[Unit]',
    `Description=${description}`,
    '',
    '[Timer]',
    ...when,
    'Persistent=yes',
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ].join('\n')
}

/** The systemd units that serve, publish and back up a registry. @returns texts by file name */
export function unitsOf(machine: Machine): ReadonlyMap<string, string> {
  const { command } = machine
  const server: Service = {
    description: 'Registry of water fountains',
    type: 'exec',
    environment: [
      '# Only this service gets secrets. systemd reads the file as root, so that the service’s user need not.',
      'EnvironmentFile=-/etc/openfountain.secrets',
    ],
    run: [
      `ExecStart=${command} serve`,
      '# The first process passes the signal on; open requests then have ten seconds to finish.',
      'KillMode=mixed',
      'TimeoutStopSec=20',
      'Restart=on-failure',
      'RestartSec=2',
    ],
  }
  const publication: Service = {
    description: 'Exports and map of the registry of water fountains',
    type: 'oneshot',
    run: [
      '# Without braces, systemd makes words of it.',
      `ExecStart=${command} publish $OPENFOUNTAIN_PUBLISH`,
      'Nice=10',
    ],
  }
  const backup: Service = {
    description: 'Verified backup of the registry of water fountains',
    type: 'oneshot',
    run: [
      `ExecStart=/bin/sh -c 'exec ${command} backup "backups/fountains-$$(date -u +%%Y-%%m-%%dT%%H%%M%%SZ).db"'`,
      'ExecStart=/usr/bin/find backups -name "fountains-*.db*" -mtime +30 -delete',
    ],
  }
  return new Map([
    ['openfountain.service', serviceText(machine, server)],
    ['openfountain-publish.service', serviceText(machine, publication)],
    [
      'openfountain-publish.timer',
      timerText('Publishes the registry of water fountains every hour', [
        'OnCalendar=hourly',
        'RandomizedDelaySec=5min',
      ]),
    ],
    ['openfountain-backup.service', serviceText(machine, backup)],
    [
      'openfountain-backup.timer',
      timerText('Backs the registry of water fountains up every night', ['OnCalendar=*-*-* 03:00']),
    ],
  ])
}
