/** Every text of the desk’s form on what is recorded of one interview, and of the phone’s live picture. */
export const texts = {
  recordedTitle: 'What is recorded',
  recordedText:
    'A change holds for this interview alone; its policy stays as it is. An application that is running hears of it at once. What the candidate has not agreed to yet is not recorded until they are asked.',
  recordedNothing: 'Nothing is recorded of this interview.',
  recordedChange: 'Change what is recorded',
  recordedChanged: '{n} {n|setting|settings} changed here.',
  recordedSave: 'Save for this interview',
  recordedSaved: 'Saved for this interview.',
  recordedWrong: 'Please give a whole number that the service accepts.',
  recordedOvertaken:
    'Somebody else changed these settings meanwhile. Nothing was saved. What you changed is still here; look at it again and save once more.',
  'recorded.capture.enabled': 'Screen',
  'recorded.audio.microphone': 'Microphone',
  'recorded.audio.systemAudio': 'Sound of the computer',
  'recorded.audio.transcript': 'Transcript',
  'recorded.camera.enabled': 'Camera',
  'recorded.sideView.enabled': 'View from the side by the phone',
  'recorded.signals': 'Computer events',
  'recorded.windowTitles': 'Titles of windows',
  'recorded.pauseAllowed': 'The candidate may pause',
  'recorded.retentionDays': 'Days that recordings are kept',
  'recorded.capture.screenshotIntervalSeconds': 'Seconds between pictures of the screen',
  'recorded.camera.stillIntervalSeconds': 'Seconds between pictures of the camera',
  'recorded.requiredApps': 'Applications that the interview needs, one a line',
  recordedSideView: 'Phone beside the candidate',
  recordedSideViewText:
    'The phone shows a live picture now and then. It is stored nowhere, and each look at it is recorded.',
  recordedSideViewShow: 'Show the picture of the phone',
  recordedSideViewHide: 'Hide the picture of the phone',
  recordedSideViewAlt: 'The newest live picture of the phone',
  recordedSideViewNone: 'The phone has not shown a picture in this interview yet.',
} as const
