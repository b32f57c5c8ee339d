// Rules of eslint for the scripts of the pages and of clients/. .ci/run copies this file to the folder of the linters.
import globals from 'globals';
import js from '@eslint/js';

export default [
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { ecmaVersion: 2022, sourceType: 'module' },
    rules: {
      'array-callback-return': 'error',
      'arrow-body-style': 'error',
      curly: 'error',
      eqeqeq: 'error',
      'max-lines': ['error', 400],
      'max-lines-per-function': ['error', 60],
      'no-implicit-globals': 'error',
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML']
            .map(property => ({ property, message: 'Text of data becomes markup.' })),
      ],
      'no-shadow': 'error',
      'no-unused-expressions': 'error',
      'no-use-before-define': ['error', { functions: false, variables: false }],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-template': 'error',
      radix: 'error',
    },
  },
  // An earlier script of the pages with a map loads Leaflet.
  { files: ['src/**'], languageOptions: { globals: { ...globals.browser, L: 'readonly' } } },
  { files: ['clients/**'], languageOptions: { globals: globals.node } },
];
