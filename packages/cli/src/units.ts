interface Machine {
  /** The absolute path of the registry's folder: database, settings, backups and site. */
  readonly folder: string
  readonly user: string
  /** The command line of openfountain: its path, or Node's and the program's. */
  readonly command: string
  /** Whether the database is on a server, so that publishing and backups need the network. */
  readonly isOnServer: boolean
}

/** Folders hidden by `ProtectHome=yes`. */
const homes = /(?:^| )\/(?:home|root|run\/user)\//u

interface Service {
  readonly description: string
  readonly isJob: boolean
  /** Whether the job fetches from other hosts. */
  readonly fetches?: boolean
  /** The lines of its [Unit] about failures. Default the operator is told of them. */
  readonly failing?: string
  /** Its own lines of the section, after those that all services have. */
  readonly own: string
}

function serviceText(
  { folder, user, command, isOnServer }: Machine,
  {
    description,
    isJob,
    fetches = false,
    failing = 'OnFailure=openfountain-failed@%N.service\n',
    own,
  }: Service,
): string {
  const isAlone = isJob && !isOnServer && !fetches
  const [afterNetwork, type, processes, network, install] = isJob
    ? [
        '',
        'Type=oneshot\n',
        'ProtectProc=invisible\n',
        isAlone ? '# It reads and writes files alone.\nPrivateNetwork=yes\n' : '',
        '',
      ]
    : ['After=network.target\n', '', '', '', '\n[Install]\nWantedBy=multi-user.target\n']
  return `[Unit]
Description=${description}
${failing}${afterNetwork}
[Service]
${type}User=${user}
WorkingDirectory=${folder}
EnvironmentFile=${folder}/openfountain.env
${own}

UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ReadWritePaths=${folder}
ProtectHome=${homes.test(`${folder}/ ${command}`) ? 'read-only' : 'yes'}
${processes}ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
PrivateTmp=yes
PrivateDevices=yes
${network}ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictAddressFamilies=${isAlone ? 'AF_UNIX' : 'AF_INET AF_INET6 AF_UNIX AF_NETLINK'}
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
${install}`
}

const timerText = (description: string, when: string): string => `[Unit]
Description=${description}

[Timer]
${when}
Persistent=yes

[Install]
WantedBy=timers.target
`

/** The systemd units that serve, publish, harvest, check and back up a registry, and tell of failures. @returns texts by file name */
export function unitsOf(machine: Machine): ReadonlyMap<string, string> {
  const { command } = machine
  const server = `# Only this service gets secrets. systemd reads the file as root, so that the service’s user need not.
EnvironmentFile=-/etc/openfountain.secrets
ExecStart=${command} serve
# The first process passes the signal on; open requests then have ten seconds to finish.
KillMode=mixed
TimeoutStopSec=20
Restart=on-failure
RestartSec=2`
  const publication = `# Without braces, systemd makes words of it.
ExecStart=${command} publish $OPENFOUNTAIN_PUBLISH
Nice=10`
  const backup = `ExecStart=/bin/sh -c 'exec ${command} backup "backups/fountains-$$(date -u +%%Y-%%m-%%dT%%H%%M%%SZ).db"'
ExecStart=/usr/bin/find backups -name "fountains-*.db*" -mtime +30 -delete`
  const harvest = `# Tokens of sources, as OPENFOUNTAIN_SECRET_… of source add --header. systemd reads the file as root.
EnvironmentFile=-/etc/openfountain.sources
ExecStart=${command} harvest
# One source that fails is told by doctor and by source runs.
SuccessExitStatus=6 7 20
Nice=10`
  const doctor = (more: string) => `# The password of the mail server. systemd reads the file as root.
EnvironmentFile=-/etc/openfountain.secrets
ExecStart=${command} doctor ${machine.folder} --tell${more}
# Something is wrong: the mail says it.
SuccessExitStatus=8
Nice=10`
  const units = (
    name: string,
    [description, own, more]: readonly [description: string, own: string, more?: Partial<Service>],
    timer?: readonly [description: string, when: string],
  ): [name: string, text: string][] => [
    [`openfountain${name}.service`, serviceText(machine, { description, isJob: true, own, ...more })],
    ...(timer ? [[`openfountain${name}.timer`, timerText(...timer)] as [string, string]] : []),
  ]
  const registry = 'the registry of water fountains'
  const failing = '# One mail for what fails again and again.\nStartLimitIntervalSec=6h\nStartLimitBurst=1\n'
  return new Map([
    ...units('', ['Registry of water fountains', server, { isJob: false }]),
    ...units(
      '-publish',
      [`Exports and map of ${registry}`, publication],
      [`Publishes ${registry} every hour`, 'OnCalendar=hourly\nRandomizedDelaySec=5min'],
    ),
    ...units(
      '-harvest',
      [`Harvest of the sources of ${registry}`, harvest, { fetches: true }],
      [`Harvests what is due for ${registry}`, 'OnCalendar=*-*-* *:00/15\nRandomizedDelaySec=2min'],
    ),
    ...units(
      '-doctor',
      [`Check of ${registry}`, doctor(''), { fetches: true, failing: '' }],
      [
        `Tells the operator every day what is wrong with ${registry}`,
        'OnCalendar=*-*-* 06:00\nRandomizedDelaySec=30min',
      ],
    ),
    ...units('-failed@', [
      'Tells the operator that %i failed',
      doctor(' --failed %i'),
      { fetches: true, failing },
    ]),
    ...units(
      '-backup',
      [`Verified backup of ${registry}`, backup],
      [`Backs ${registry} up every night`, 'OnCalendar=*-*-* 03:00'],
    ),
  ])
}
