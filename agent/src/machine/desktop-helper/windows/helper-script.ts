import type { Environment } from '../../../shared/child-process.ts'
import type { HelperCommand } from '../desktop-helper.ts'
import type { HelperTopic } from '../helper-lines.ts'

/** The title of the window in front; an empty one for a window without. */
const titleCall = `  [DllImport("user32.dll", CharSet = CharSet.Unicode)]
  static extern int GetWindowTextW(IntPtr window, StringBuilder text, int most);
  public static string Title() {
    StringBuilder text = new StringBuilder(301);
    IntPtr window = GetForegroundWindow();
    if (window != IntPtr.Zero) GetWindowTextW(window, text, text.Capacity);
    return text.ToString();
  }
`

/** The windows that are kept out of recordings, with their places. */
const excludedWindowsCall = `  public static List<Excluded> ExcludedWindows() {
    List<Excluded> found = new List<Excluded>();
    EnumWindows(delegate(IntPtr window, IntPtr state) {
      uint affinity; Box box; uint process;
      if (!IsWindowVisible(window) || !GetWindowDisplayAffinity(window, out affinity) || affinity == 0) return true;
      if (!GetWindowRect(window, out box)) return true;
      GetWindowThreadProcessId(window, out process);
      Excluded one = new Excluded();
      one.Key = window.ToString(); one.Process = process;
      one.Left = box.Left; one.Top = box.Top; one.Right = box.Right; one.Bottom = box.Bottom;
      found.Add(one);
      return true;
    }, IntPtr.Zero);
    return found;
  }
`

/** Win32 calls, all documented and open to every process: they count, name and measure, and read no content; a title only with `titles`. */
const calls = (titles: boolean): string => `
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
public class Excluded { public string Key; public uint Process; public int Left, Top, Right, Bottom; }
public static class Desk {
  struct LastInput { public uint Size; public uint Time; }
  struct Box { public int Left, Top, Right, Bottom; }
  delegate bool EachWindow(IntPtr window, IntPtr state);
  [DllImport("user32.dll")] static extern IntPtr GetForegroundWindow();
  [DllImport("user32.dll")] static extern uint GetWindowThreadProcessId(IntPtr window, out uint process);
  [DllImport("user32.dll")] public static extern uint GetClipboardSequenceNumber();
  [DllImport("user32.dll")] static extern bool GetLastInputInfo(ref LastInput info);
  [DllImport("user32.dll")] static extern bool EnumWindows(EachWindow each, IntPtr state);
  [DllImport("user32.dll")] static extern bool IsWindowVisible(IntPtr window);
  [DllImport("user32.dll")] static extern bool GetWindowDisplayAffinity(IntPtr window, out uint affinity);
  [DllImport("user32.dll")] static extern bool GetWindowRect(IntPtr window, out Box box);
  [DllImport("kernel32.dll")] static extern ulong GetTickCount64();
  [DllImport("kernel32.dll")] static extern bool QueryUnbiasedInterruptTime(out ulong time);
  [DllImport("wtsapi32.dll", EntryPoint = "WTSQuerySessionInformationW")]
  static extern bool Query(IntPtr server, int session, int what, out IntPtr buffer, out int bytes);
  [DllImport("wtsapi32.dll")] static extern void WTSFreeMemory(IntPtr buffer);
  public static uint Front() {
    uint process = 0;
    IntPtr window = GetForegroundWindow();
    if (window != IntPtr.Zero) GetWindowThreadProcessId(window, out process);
    return process;
  }
${titles ? titleCall : ''}  public static uint IdleMs() {
    LastInput info = new LastInput();
    info.Size = (uint)Marshal.SizeOf(typeof(LastInput));
    if (!GetLastInputInfo(ref info)) throw new InvalidOperationException();
    return unchecked((uint)Environment.TickCount - info.Time);
  }
  public static long AsleepMs() {
    ulong awake;
    if (!QueryUnbiasedInterruptTime(out awake)) throw new InvalidOperationException();
    return Math.Max(0, (long)GetTickCount64() - (long)(awake / 10000));
  }
  public static int LockState() {
    IntPtr buffer; int bytes;
    if (!Query(IntPtr.Zero, -1, 25, out buffer, out bytes)) throw new InvalidOperationException();
    try { return Marshal.ReadInt32(buffer, 16); } finally { WTSFreeMemory(buffer); }
  }
${excludedWindowsCall}}
`

/**
 * What the helper of Windows runs in Windows PowerShell 5.1. Offset 16 of WTSINFOEX is SessionFlags (0 locked,
 * 1 not); an affinity other than 0 is WDA_MONITOR or WDA_EXCLUDEFROMCAPTURE. A device's instance id under
 * `{0.0.1.` is an audio input. Written from Microsoft's documentation; not run: no Windows machine was at hand.
 */
const loop = `
function Say($line) { $out.WriteLine((ConvertTo-Json -InputObject $line -Compress -Depth 4)) }
function NameOf($id) { try { [Diagnostics.Process]::GetProcessById([int]$id).ProcessName } catch { $null } }
$unable = @{}
function Look($topic, [scriptblock]$read) {
  if (($topics -notcontains $topic) -or $unable[$topic]) { return }
  try { & $read } catch [IO.IOException] { exit } catch { $unable[$topic] = $true; Say @{ topic = 'failed'; of = $topic } }
}
$script:front = 'nothing yet'
for ($second = 0; ; $second++) {
  Look 'foreground' {
    $id = [Desk]::Front()
    $name = $null
    if ($id -ne 0) { $name = NameOf $id }
    $now = @{ topic = 'foreground'; application = $name }
    if ($titles) { $now.title = [Desk]::Title() }
    $key = "$name|$($now.title)"
    if ($script:front -ne $key) { $script:front = $key; Say $now }
  }
  if ($second % 5 -eq 0) {
    Look 'idle' { Say @{ topic = 'idle'; ms = [Desk]::IdleMs() } }
    Look 'clipboard' { Say @{ topic = 'clipboard'; count = [Desk]::GetClipboardSequenceNumber() } }
    Look 'asleep' { Say @{ topic = 'asleep'; ms = [Desk]::AsleepMs() } }
    Look 'locked' {
      $state = [Desk]::LockState()
      $locked = $null
      if ($state -eq 0) { $locked = $true } elseif ($state -eq 1) { $locked = $false }
      Say @{ topic = 'locked'; locked = $locked }
    }
    Say @{ topic = 'alive' }
  }
  if ($second % 15 -eq 0) {
    Look 'processes' {
      $names = @([Diagnostics.Process]::GetProcesses() | ForEach-Object { $_.ProcessName } | Sort-Object -Unique)
      Say @{ topic = 'processes'; names = $names }
    }
    Look 'windows' {
      $found = @([Desk]::ExcludedWindows() | ForEach-Object {
        @{ key = $_.Key; application = (NameOf $_.Process); x = $_.Left; y = $_.Top
           width = $_.Right - $_.Left; height = $_.Bottom - $_.Top }
      })
      Say @{ topic = 'windows'; excluded = $found }
    }
  }
  if ($second % 30 -eq 0) {
    Look 'devices' {
      $filter = "PNPClass='Camera' OR (PNPClass='Image' AND Service='usbvideo') OR PNPClass='AudioEndpoint'"
      $found = @(Get-CimInstance Win32_PnPEntity -Filter $filter | Where-Object { $_.Name } | ForEach-Object {
        $kind = 'camera'
        if ($_.PNPClass -eq 'AudioEndpoint') { $kind = 'microphone' }
        if ($kind -eq 'camera' -or $_.DeviceID -like '*{0.0.1.*') { @{ kind = $kind; name = $_.Name; id = $_.DeviceID } }
      })
      $filters = 'Registry::HKEY_CLASSES_ROOT\\CLSID\\{860BB310-5D01-11d0-BD3B-00A0C911CE86}\\Instance'
      if (Test-Path $filters) {
        $found += @(Get-ChildItem $filters | ForEach-Object {
          $name = $_.GetValue('FriendlyName')
          if ($name) { @{ kind = 'camera'; name = $name; id = $_.PSChildName } }
        })
      }
      Say @{ topic = 'devices'; devices = @($found) }
    }
  }
  Start-Sleep -Seconds 1
}
`

/** The whole script for these topics. */
const windowsHelperScript = (topics: readonly HelperTopic[], titles = false): string =>
  [
    "$ErrorActionPreference = 'Stop'",
    "$ProgressPreference = 'SilentlyContinue'",
    '$out = New-Object IO.StreamWriter([Console]::OpenStandardOutput(), (New-Object Text.UTF8Encoding $false))',
    '$out.AutoFlush = $true',
    `$topics = @(${topics.map((topic) => `'${topic}'`).join(', ')})`,
    `$titles = $${titles}`,
    `Add-Type -TypeDefinition @'${calls(titles)}'@`,
    loop,
  ].join('\n')

/** Starts the helper for these topics; by its full path, so that no other program of that name is run. */
export const windowsHelperCommand = (
  topics: readonly HelperTopic[],
  env: Environment = process.env,
  titles = false,
): HelperCommand => ({
  command: `${env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
  args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', windowsHelperScript(topics, titles)],
})
