/** What a program in the catalogue is for. Being listed says nothing about why it runs. */
export type ProgramKind = 'remote_control' | 'meeting' | 'screen_recording' | 'virtual_camera' | 'virtual_sound'

export type CatalogueEntry = {
  /** The name its maker gives it. */
  program: string
  kind: ProgramKind
  /** Names of its processes, lower case, without `.exe`. Matched whole. */
  processes: readonly string[]
}

/** Raised whenever an entry is added, removed or changed; sent with every match. */
export const CATALOGUE_VERSION = 1

const entry = (kind: ProgramKind, program: string, ...processes: string[]): CatalogueEntry => ({
  program,
  kind,
  processes,
})

/**
 * The published catalogue: programs that can show this computer's screen to another person, let another person
 * control it, or stand in for a camera or microphone. It is compared on the device; only matches are sent.
 */
export const PROGRAM_CATALOGUE: readonly CatalogueEntry[] = [
  entry('remote_control', 'AnyDesk', 'anydesk'),
  entry(
    'remote_control',
    'TeamViewer',
    'teamviewer',
    'teamviewerd',
    'teamviewer_service',
    'teamviewer_desktop',
    'tv_w32',
    'tv_x64',
  ),
  entry('remote_control', 'TeamViewer QuickSupport', 'teamviewerqs'),
  entry('remote_control', 'RustDesk', 'rustdesk'),
  entry(
    'remote_control',
    'Chrome Remote Desktop',
    'remoting_host',
    'chrome-remote-desktop',
    'chrome-remote-desktop-host',
    'remote_assistance_host',
  ),
  entry(
    'remote_control',
    'Splashtop',
    'splashtop',
    'srserver',
    'srmanager',
    'srfeature',
    'srstreamer',
    'splashtopstreamer',
    'strwinclt',
  ),
  entry('remote_control', 'LogMeIn', 'logmein', 'lmiguardiansvc', 'logmeinsystray'),
  entry('remote_control', 'GoToMyPC', 'g2comm', 'g2svc', 'g2tray', 'gotomypc'),
  entry(
    'remote_control',
    'GoTo Resolve',
    'goto resolve',
    'gotoresolve',
    'gotoassist',
    'g2ax_comm_customer',
    'goto-assist',
  ),
  entry(
    'remote_control',
    'ConnectWise ScreenConnect',
    'screenconnect.clientservice',
    'screenconnect.windowsclient',
    'connectwisecontrol.client',
  ),
  entry('remote_control', 'BeyondTrust Remote Support', 'bomgar-scc', 'bomgar-rep', 'bomgar-jpt', 'sra-pin'),
  entry('remote_control', 'Zoho Assist', 'zohoassist', 'za_connect', 'zaservice', 'zohours', 'zohotray'),
  entry('remote_control', 'Supremo', 'supremo', 'supremoservice', 'supremohelper'),
  entry('remote_control', 'Ammyy Admin', 'aa_v3', 'ammyy_admin'),
  entry('remote_control', 'UltraViewer', 'ultraviewer_desktop', 'ultraviewer_service', 'ultraviewer'),
  entry('remote_control', 'AweSun', 'awesun', 'sunloginclient', 'sunlogin'),
  entry('remote_control', 'ToDesk', 'todesk', 'todesk_service'),
  entry('remote_control', 'DWService Agent', 'dwagent', 'dwagsvc', 'dwaglnc'),
  entry('remote_control', 'MeshCentral Agent', 'meshagent'),
  entry('remote_control', 'Remote Utilities', 'rutserv', 'rfusclient', 'rutview'),
  entry('remote_control', 'Radmin', 'radmin', 'rserver3', 'famitrfc'),
  entry('remote_control', 'DameWare Mini Remote Control', 'dwrcs', 'dwrcst', 'dntus26'),
  entry('remote_control', 'NetSupport Manager', 'client32', 'pcictlui'),
  entry('remote_control', 'ISL Online', 'isllight', 'isllightclient', 'islalwayson', 'islalwaysonmonitor'),
  entry('remote_control', 'Getscreen.me', 'getscreen', 'getscreen.me'),
  entry('remote_control', 'HopToDesk', 'hoptodesk'),
  entry('remote_control', 'Iperius Remote', 'iperiusremote'),
  entry('remote_control', 'Parsec', 'parsec', 'parsecd', 'pservice'),
  entry('remote_control', 'Sunshine', 'sunshine', 'sunshinesvc'),
  entry('remote_control', 'Moonlight', 'moonlight', 'moonlight-qt'),
  entry(
    'remote_control',
    'NoMachine',
    'nxserver',
    'nxserver.bin',
    'nxnode',
    'nxnode.bin',
    'nxplayer',
    'nxplayer.bin',
    'nxd',
  ),
  entry('remote_control', 'X2Go', 'x2goagent', 'x2goclient'),
  entry('remote_control', 'RealVNC', 'vncserver-x11-core', 'vncserverui', 'vncagent'),
  entry('remote_control', 'TightVNC', 'tvnserver', 'xtightvnc'),
  entry('remote_control', 'TigerVNC', 'xvnc', 'xtigervnc', 'x0vncserver', 'x0tigervncserver', 'winvnc4'),
  entry('remote_control', 'UltraVNC', 'winvnc', 'uvnc_service'),
  entry('remote_control', 'x11vnc', 'x11vnc'),
  entry('remote_control', 'wayvnc', 'wayvnc'),
  entry('remote_control', 'Vino', 'vino-server'),
  entry('remote_control', 'GNOME Remote Desktop', 'gnome-remote-desktop-daemon', 'gnome-remote-de', 'grd-daemon'),
  entry('remote_control', 'KDE Krfb', 'krfb', 'krdpserver'),
  entry('remote_control', 'xrdp', 'xrdp', 'xrdp-sesman', 'xrdp-chansrv'),
  entry('remote_control', 'Windows Quick Assist', 'quickassist'),
  entry('remote_control', 'Windows Remote Assistance', 'msra'),
  entry('remote_control', 'Apple Remote Desktop', 'ardagent', 'screensharingd', 'remotemanagement'),
  entry('remote_control', 'Barrier', 'barrier', 'barriers', 'barrierc'),
  entry('remote_control', 'Input Leap', 'input-leap', 'input-leaps', 'input-leapc'),
  entry('remote_control', 'Synergy', 'synergy', 'synergys', 'synergyc', 'synergy-core'),
  entry('remote_control', 'Deskflow', 'deskflow', 'deskflow-core', 'deskflow-server', 'deskflow-client'),
  entry('meeting', 'Zoom', 'zoom', 'zoom.us', 'cpthost'),
  entry('meeting', 'Microsoft Teams', 'teams', 'ms-teams', 'msteams', 'teams-for-linux'),
  entry('meeting', 'Cisco Webex', 'webex', 'ciscocollabhost', 'webexmta', 'atmgr'),
  entry('meeting', 'GoTo Meeting', 'g2mcomm', 'g2mstart', 'gotomeeting', 'goto'),
  entry('meeting', 'Skype', 'skype', 'skypeforlinux'),
  entry('meeting', 'Discord', 'discord', 'discordcanary', 'discordptb', 'vesktop'),
  entry('meeting', 'Slack', 'slack'),
  entry('meeting', 'Telegram', 'telegram', 'telegram-desktop'),
  entry('meeting', 'WhatsApp', 'whatsapp', 'whatsapp.root'),
  entry('meeting', 'Signal', 'signal', 'signal-desktop'),
  entry('meeting', 'Jitsi Meet', 'jitsi meet', 'jitsi-meet'),
  entry('screen_recording', 'OBS Studio', 'obs', 'obs64', 'obs32'),
  entry('screen_recording', 'Loom', 'loom'),
  entry('screen_recording', 'SimpleScreenRecorder', 'simplescreenrecorder'),
  entry('screen_recording', 'Kazam', 'kazam'),
  entry('screen_recording', 'Bandicam', 'bdcam'),
  entry('screen_recording', 'Camtasia', 'camtasia', 'camtasiastudio', 'camrecorder'),
  entry('virtual_camera', 'ManyCam', 'manycam'),
  entry('virtual_camera', 'XSplit VCam', 'xsplitvcam', 'xsplit_vcam'),
  entry('virtual_camera', 'Snap Camera', 'snap camera', 'snapcamera'),
  entry('virtual_camera', 'mmhmm', 'mmhmm'),
  entry('virtual_camera', 'DroidCam', 'droidcam', 'droidcam-cli', 'droidcamapp'),
  entry('virtual_camera', 'Iriun Webcam', 'iriunwebcam'),
  entry('virtual_sound', 'Voicemeeter', 'voicemeeter', 'voicemeeter8', 'voicemeeterpro'),
  entry('virtual_sound', 'Krisp', 'krisp'),
  entry('virtual_sound', 'Voicemod', 'voicemod', 'voicemoddesktop'),
]

const byProcess = new Map<string, CatalogueEntry>()
for (const item of PROGRAM_CATALOGUE) {
  for (const name of item.processes) if (!byProcess.has(name)) byProcess.set(name, item)
}

/** A process name as the catalogue spells it. */
export const normalisedProcessName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/\.(exe|app|appimage)$/, '')

/** The entry whose process has this name, if there is one. */
export const matchProcessName = (name: string): CatalogueEntry | undefined => byProcess.get(normalisedProcessName(name))
