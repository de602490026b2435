// What the commands of macOS and Windows answer, written from their documented formats; shortened, names made up.

/** `ioreg -c IOHIDSystem -r -d 1`: 4.2 s without input. */
export const ioregIdle = `+-o IOHIDSystem  <class IOHIDSystem, id 0x100000355, registered, matched, active, busy 0 (5 ms), retain 25>
    {
      "IOClass" = "IOHIDSystem"
      "HIDParameters" = {"HIDClickTime"=500000000,"HIDIdleTimeMagic"=1}
      "HIDIdleTime" = 4217382541
      "IOProviderClass" = "IOResources"
    }

`

const consoleUser = (lock: string): string =>
  `{"kCGSSessionOnConsoleKey"=Yes,${lock}"kSCSecuritySessionID"=100011,"kCGSSessionUserNameKey"="alex","kCGSSessionUserIDKey"=501}`

/** `ioreg -n Root -d1`, unlocked and locked. */
export const ioregUnlocked = `+-o Root  <class IORegistryEntry, id 0x100000100, retain 34>
    {
      "IOKitBuildVersion" = "Darwin Kernel Version 24.1.0"
      "IOConsoleLocked" = No
      "IOConsoleUsers" = (${consoleUser('')})
    }
`
export const ioregLocked = ioregUnlocked.replace(
  consoleUser(''),
  consoleUser('"CGSSessionScreenIsLocked"=Yes,"CGSSessionScreenLockedTime"=1763760000,'),
)

/** `sysctl -n kern.sleeptime kern.waketime`: asleep for ten minutes. */
export const sysctlSleep = `{ sec = 1763760000, usec = 250000 } Fri Nov 21 21:20:00 2025
{ sec = 1763760600, usec = 750000 } Fri Nov 21 21:30:00 2025
`

/** `sysctl kern.hv_vmm_present hw.model`, in a virtual machine. */
export const sysctlVm = `kern.hv_vmm_present: 1
hw.model: VirtualMac2,1
`

/** `ps -axo comm=`. */
export const psNames = `/sbin/launchd
/usr/libexec/logd
/Applications/zoom.us.app/Contents/MacOS/zoom.us
/Applications/Google Chrome.app/Contents/Frameworks/Google Chrome Helper
/System/Library/CoreServices/RemoteManagement/ARDAgent.app/Contents/MacOS/ARDAgent
/Applications/Jump Desktop Connect.app/Contents/MacOS/Jump Desktop Connect
(bash)
`

/** `system_profiler -json SPCameraDataType SPAudioDataType`. */
export const systemProfiler = JSON.stringify({
  SPAudioDataType: [
    {
      _name: 'coreaudio_device',
      _items: [
        {
          _name: 'MacBook Pro Microphone',
          coreaudio_default_audio_input_device: 'spaudio_yes',
          coreaudio_device_input: 1,
          coreaudio_device_manufacturer: 'Apple Inc.',
          coreaudio_device_srate: 48_000,
        },
        { _name: 'MacBook Pro Speakers', coreaudio_device_output: 2, coreaudio_device_srate: 48_000 },
        { _name: 'BlackHole 2ch', coreaudio_device_input: 2, coreaudio_device_output: 2 },
      ],
    },
  ],
  SPCameraDataType: [
    {
      _name: 'FaceTime HD Camera',
      'spcamera_model-id': 'FaceTime HD Camera',
      'spcamera_unique-id': '3F45E80A-0176-46F7-B185-BB9E2C0E82E3',
    },
    { _name: 'OBS Virtual Camera', 'spcamera_model-id': 'OBS', 'spcamera_unique-id': '7626645E-4425-469E-9D8B' },
  ],
})

/** `reg query HKLM\HARDWARE\DESCRIPTION\System\BIOS`, lines ending as Windows ends them. */
export const regBios = [
  '',
  'HKEY_LOCAL_MACHINE\\HARDWARE\\DESCRIPTION\\System\\BIOS',
  '    BiosMajorRelease    REG_DWORD    0xff',
  '    BIOSVendor    REG_SZ    Phoenix Technologies LTD',
  '    SystemManufacturer    REG_SZ    VMware, Inc.',
  '    SystemProductName    REG_SZ    VMware20,1',
  '',
].join('\r\n')

/** The helper's lines on macOS. */
export const macosLines = [
  '{"topic":"foreground","application":"Safari","bundleId":"com.apple.Safari"}',
  '{"topic":"clipboard","count":412}',
  '{"topic":"alive"}',
  '{"topic":"windows","excluded":[]}',
  '{"topic":"foreground","application":"Notizen – Übung","bundleId":"com.apple.Notes"}',
  '{"topic":"clipboard","count":414}',
  '{"topic":"alive"}',
  '{"topic":"windows","excluded":[{"key":"88","application":"1Password","x":10,"y":20,"width":600,"height":400}]}',
  '{"topic":"windows","excluded":[{"key":"88","application":"1Password","x":50,"y":20,"width":600,"height":400}]}',
  '{"topic":"windows","excluded":[]}',
  '',
].join('\n')

/** The helper's lines on Windows; ConvertTo-Json gives the keys in any order. */
export const windowsLines = [
  '{"application":"chrome","topic":"foreground"}',
  '{"topic":"idle","ms":61250}',
  '{"count":7,"topic":"clipboard"}',
  '{"topic":"asleep","ms":0}',
  '{"locked":false,"topic":"locked"}',
  '{"topic":"alive"}',
  '{"names":["chrome","AnyDesk","svchost","explorer"],"topic":"processes"}',
  '{"excluded":[],"topic":"windows"}',
  '{"topic":"devices","devices":[{"id":"USB\\\\VID_046D&PID_0825&MI_00\\\\6&SERIAL","kind":"camera","name":"Integrated Webcam"},{"id":"{A3FCE0F5-3493-419F-958A-ABA1250EC20B}","kind":"camera","name":"OBS Virtual Camera"},{"id":"SWD\\\\MMDEVAPI\\\\{0.0.1.00000000}.{2B}","kind":"microphone","name":"CABLE Output (VB-Audio Virtual Cable)"}]}',
  '{"application":null,"topic":"foreground"}',
  '{"topic":"idle","ms":120}',
  '{"topic":"asleep","ms":600000}',
  '{"locked":true,"topic":"locked"}',
  '{"locked":false,"topic":"locked"}',
  '{"names":["chrome","svchost","explorer"],"topic":"processes"}',
  '{"count":8,"topic":"clipboard"}',
  '{"excluded":[{"key":"65812","application":"KeePassXC","x":0,"y":0,"width":800,"height":600}],"topic":"windows"}',
  '',
].join('\r\n')
