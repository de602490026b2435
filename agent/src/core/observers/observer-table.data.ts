import type { ObserverName } from '@integrity/protocol'
import { newerObservers } from './observer-table.newer.data.ts'
import type { ObserverWay, ObserverWays } from './types.ts'

const everywhere = (way: ObserverWay) => ({ linux: way, darwin: way, win32: way })
const second = 1000
const everySystem = ['linux', 'darwin', 'win32'] as const

const macosHelper = 'one osascript child for all that use it; not measured'
const windowsHelper = 'one PowerShell child for all that use it; not measured'

/**
 * What each observer reads on each system, how often, what that costs, and what it cannot see. The observers take their
 * method and interval from here, and the published page is made from it. Costs on Linux were measured; those of macOS and
 * Windows were not, and their commands were written from documentation and tested with recorded answers only.
 */
export const observerTable = {
  displays: {
    reads: 'Displays that are connected, disconnected, resized or rearranged: their names, places and sizes.',
    shell: {
      on: everySystem,
      method: 'the desktop application: display-added, display-removed, display-metrics-changed',
      intervalMs: 0,
      cost: 'nothing until something changes',
      blind: 'a mirror behind the same cable (splitter, capture card), a projector that copies a display',
    },
    linux: {
      method: 'X11: RANDR GetMonitors, else node-screenshots Monitor.all',
      intervalMs: 5 * second,
      cost: 'two small questions each time',
      blind: 'a display that comes and goes between two looks; a mirror behind the same cable',
    },
    darwin: {
      method: 'node-screenshots Monitor.all',
      intervalMs: 5 * second,
      cost: 'a call in the process; not measured',
      blind: 'a display that comes and goes between two looks; a mirror behind the same cable',
    },
    win32: {
      method: 'node-screenshots Monitor.all',
      intervalMs: 5 * second,
      cost: 'a call in the process; not measured',
      blind: 'a display that comes and goes between two looks; a mirror behind the same cable',
    },
  },
  foreground: {
    reads:
      'The name of the application in front. The title of its window, at most 200 characters of it, only where the policy asks for titles and the candidate agreed to that. Known programs that help a person to read, hear or write are not named, nor their titles.',
    linux: {
      method: 'X11: PropertyNotify of _NET_ACTIVE_WINDOW; WM_CLASS',
      intervalMs: 0,
      cost: 'two small questions at each change',
      blind:
        'everything on Wayland; a switch of less than a tenth of a second; which tab or document is open; windows that never take the focus',
    },
    darwin: {
      method: 'osascript: NSWorkspace.frontmostApplication',
      intervalMs: second,
      cost: macosHelper,
      blind: 'a switch of less than a second; which tab or document is open; windows that never take the focus',
    },
    win32: {
      method: 'PowerShell: GetForegroundWindow, name of its process',
      intervalMs: second,
      cost: windowsHelper,
      blind: 'a switch of less than a second; which store application runs inside ApplicationFrameHost',
    },
  },
  idle: {
    reads: 'Whether there was no keyboard or pointer input for a minute. Never what was typed.',
    shell: {
      on: everySystem,
      method: 'the desktop application: powerMonitor.getSystemIdleTime',
      intervalMs: 5 * second,
      cost: 'a call in the process',
      blind: 'who used the keyboard; on some Wayland desktops the time stays at nought',
    },
    linux: {
      method: 'X11: MIT-SCREEN-SAVER QueryInfo; on GNOME its idle monitor through gdbus',
      intervalMs: 5 * second,
      cost: 'two small questions each time, or a short program',
      blind: 'who used the keyboard; Wayland desktops other than GNOME',
    },
    darwin: {
      method: 'ioreg: HIDIdleTime of IOHIDSystem',
      intervalMs: 5 * second,
      cost: 'a short program each time; not measured',
      blind: 'who used the keyboard',
    },
    win32: {
      method: 'PowerShell: GetLastInputInfo',
      intervalMs: 5 * second,
      cost: windowsHelper,
      blind: 'who used the keyboard; input in another session of the same computer',
    },
  },
  screen_lock: {
    reads: 'Whether the screen is locked.',
    shell: {
      on: ['darwin', 'win32'],
      method: 'the desktop application: lock-screen, unlock-screen',
      intervalMs: 0,
      cost: 'nothing until something changes',
      blind: 'whether it was locked when observing began',
    },
    linux: {
      method: 'loginctl: LockedHint of the session',
      intervalMs: 5 * second,
      cost: 'a program of 6 ms each time',
      blind: 'desktops other than GNOME and KDE Plasma, which do not tell; a lock shorter than five seconds',
    },
    darwin: {
      method: 'ioreg: CGSSessionScreenIsLocked',
      intervalMs: 5 * second,
      cost: 'a short program each time; not measured',
      blind: 'a lock shorter than five seconds',
    },
    win32: {
      method: 'PowerShell: WTSQuerySessionInformation, SessionFlags',
      intervalMs: 5 * second,
      cost: windowsHelper,
      blind: 'a lock shorter than five seconds',
    },
  },
  sleep: {
    reads: 'That the computer slept and woke up, and for how long.',
    shell: {
      on: everySystem,
      method: 'the desktop application: suspend, resume',
      intervalMs: 0,
      cost: 'nothing until something changes',
      blind: 'the part of a sleep after which the computer was switched off',
    },
    linux: {
      method: 'time since start with sleep (/proc/uptime) against time without (monotonic clock)',
      intervalMs: 5 * second,
      cost: 'one small file each time',
      blind: 'going to sleep is told only after waking up; sleeps of less than two seconds',
    },
    darwin: {
      method: 'sysctl kern.sleeptime kern.waketime',
      intervalMs: 5 * second,
      cost: 'nothing until a look comes late, then one short program',
      blind: 'going to sleep is told only after waking up; dark wakes in between',
    },
    win32: {
      method: 'PowerShell: GetTickCount64 against QueryUnbiasedInterruptTime',
      intervalMs: 5 * second,
      cost: windowsHelper,
      blind: 'going to sleep is told only after waking up; modern standby, in which the computer stays half awake',
    },
  },
  network: {
    reads: 'The names of network interfaces and whether each has IPv4 and IPv6. Addresses stay on the computer.',
    ...everywhere({
      method: 'os.networkInterfaces',
      intervalMs: 5 * second,
      cost: 'a call in the process',
      blind: 'which network it is, what is sent, other devices on it; a change undone between two looks',
    }),
  },
  processes: {
    reads: 'Whether programs of the published list run. The names of all other programs stay on the computer.',
    linux: {
      method: '/proc, compared with the published list',
      intervalMs: 15 * second,
      cost: 'a small file for each process, two more for each new one; 3 ms for two hundred',
      blind: 'a program under another name, in a browser, on another computer, or that ran between two looks',
    },
    darwin: {
      method: 'ps -axo comm=, compared with the published list',
      intervalMs: 15 * second,
      cost: 'a short program each time; not measured',
      blind: 'a program under another name, in a browser, on another computer, or that ran between two looks',
    },
    win32: {
      method: 'PowerShell: names of all processes, compared with the published list',
      intervalMs: 15 * second,
      cost: windowsHelper,
      blind: 'a program under another name, in a browser, on another computer, or that ran between two looks',
    },
  },
  virtual_machine: {
    reads: 'What the computer says of its own make that virtual machines say. Hints with their source, no conclusion.',
    linux: {
      method: '/proc/cpuinfo, /sys/hypervisor/type, /sys/class/dmi/id',
      intervalMs: 600 * second,
      cost: 'five small files each time',
      blind: 'a virtual machine that gives itself the names of a real one; many companies lend such desktops',
    },
    darwin: {
      method: 'sysctl kern.hv_vmm_present hw.model',
      intervalMs: 600 * second,
      cost: 'a short program each time; not measured',
      blind: 'a virtual machine that gives itself the names of a real one',
    },
    win32: {
      method: 'reg query HKLM\\HARDWARE\\DESCRIPTION\\System\\BIOS',
      intervalMs: 600 * second,
      cost: 'a short program each time; not measured',
      blind: 'a virtual machine that gives itself the names of a real one; cloud desktops of unknown make',
    },
  },
  clock: {
    reads: 'Jumps of the clock of two seconds or more, forwards or back.',
    ...everywhere({
      method: 'wall clock against the time since the system started',
      intervalMs: 5 * second,
      cost: 'two calls in the process',
      blind: 'slow drift; a jump undone between two looks; a clock that was wrong from the start',
    }),
  },
  devices: {
    reads:
      'The names of cameras and microphones that come and go, and the entry of the published list that a name matches.',
    shell: {
      on: everySystem,
      method: 'the desktop application: enumerateDevices, devicechange',
      intervalMs: 0,
      cost: 'nothing until something changes',
      blind: 'a virtual device with the name of a real one; what a device is pointed at; whether it is in use',
    },
    linux: {
      method:
        '/sys/class/video4linux; sources of PulseAudio by its socket, asked anew when the sound server tells of a change',
      intervalMs: 10 * second,
      cost: 'a folder each time; a program of 5 ms at each change',
      blind: 'a virtual device with the name of a real one; what a device is pointed at; whether it is in use',
    },
    darwin: {
      method: 'system_profiler -json SPCameraDataType SPAudioDataType',
      intervalMs: 60 * second,
      cost: 'a slow program, hence once a minute; not measured',
      blind: 'a device that comes and goes within a minute; a virtual device with the name of a real one',
    },
    win32: {
      method: 'PowerShell: Win32_PnPEntity; registered DirectShow cameras',
      intervalMs: 30 * second,
      cost: windowsHelper,
      blind: 'a device that comes and goes within half a minute; a virtual device with the name of a real one',
    },
  },
  clipboard: {
    reads: 'That the clipboard was used, and how often. Never what was in it.',
    linux: {
      method: 'X11: XFixesSelectionNotify of the CLIPBOARD selection',
      intervalMs: 0,
      cost: 'nothing until something changes',
      blind: 'everything on Wayland; pasting; which program copied; a clipboard manager counts as well',
    },
    darwin: {
      method: 'osascript: NSPasteboard.changeCount',
      intervalMs: 5 * second,
      cost: macosHelper,
      blind: 'pasting; which program copied',
    },
    win32: {
      method: 'PowerShell: GetClipboardSequenceNumber',
      intervalMs: 5 * second,
      cost: windowsHelper,
      blind: 'pasting; which program copied; one copy in several formats counts more than once',
    },
  },
  excluded_windows: {
    reads:
      'Windows that their program keeps out of recordings: the name of the program, the place and the duration. Password managers do so too; nothing is inferred.',
    linux: {
      why: 'Linux desktops have no way for a program to keep a window out of recordings, so none is looked for.',
    },
    darwin: {
      method: 'osascript: CGWindowListCopyWindowInfo, kCGWindowSharingState',
      intervalMs: 15 * second,
      cost: macosHelper,
      blind: 'a window shown for less than fifteen seconds; some recorders do not heed the setting',
    },
    win32: {
      method: 'PowerShell: GetWindowDisplayAffinity',
      intervalMs: 15 * second,
      cost: windowsHelper,
      blind: 'a window shown for less than fifteen seconds; windows on another desktop of the same computer',
    },
  },
  ...newerObservers,
} as const satisfies Record<ObserverName, ObserverWays>
