"""Statements with a place for the construct in focus: each construct comes to every position.

The first word is the kind that fits; the hole {focus T} holds the construct.
"""

from __future__ import annotations

from typing import Final

PLACES: Final = """
N {x=num} = {focus N} + 1

N {x=num} = 2 - {focus N}

int {x=int} = {focus int} * {int}

list[T] {x=list[T]} = {focus list[T]} + [{T}]

list[T] {x=list[T]} = [{T}] + {focus list[T]}

seq[T] {x=seq[T]} = {focus seq[T]} + ({T},)

seq[T] {x=seq[T]} = ({T},) + {focus seq[T]}

set[K] {x=set[K]} = {focus set[K]} | {set[K]}

set[K] {x=set[K]} = {set[K]} - {focus set[K]}

dict[K,T] {x=dict[K,T]} = {focus dict[K,T]} | {dict[K,T]}

counter[K] {x=counter[K]} = {counter[K]} + {focus counter[K]}

T {x=bool} = {focus T} == {T}

T {x=bool} = {T} != {focus T}

O {x=bool} = {O} < {focus O} <= {O}

O {x=bool} = {focus O} > {O} != {O}

T {x=bool} = not {focus T}

N {x=num} = -{focus N}

T {x=T} = {focus T} or {T}

T {x=T} = {T} and {focus T}

T {x=T} = {focus T} if {bool} else {T}

T {x=T} = {T} if {bool} else {focus T}

T {x=int} = 1 if {focus T} else 2

T if {focus T}:
    {block}
else:
    {block}

T while {focus T}:
    {calm}
    break

int {x=int} = [{int}, {int}, {int}][{focus int} % 3]

bool {x=int} = ({int}, {int})[{focus bool}]

int {x=int} = {list[int]}[{focus int}]

int {x=list[int]} = {list[int]}[{focus int}:]

int {x=seq[int]} = {seq[int]}[:{focus int}]

int {x=list[int]} = {list[int]}[{int}:{int}:{focus int} or 1]

K {x=opt[int]} = {dict[K,int]}.get({focus K})

T {x=list[T]} = [{T}]
{x}.append({focus T})

int {x=int} = max({focus int}, {int})

T {x=T} = (lambda {y}: {y})({focus T})

T {x=tup[T,int]} = (lambda {y}, {z}=2: ({y}, {z}))({y}={focus T})

int {x=int} = sum([{int}], start={focus int})

T def {f=fn[T]}({a}={focus T}):
    return {a}

T {x=list[T]} = [{focus T}, {T}]

K {x=set[K]} = {{{focus K}, {K}}}

T {x=tup[T,int]} = ({focus T}, {int})

T {x=tup[int,T]} = ({int}, {focus T})

K {x=dict[K,int]} = {{{focus K}: {int}}}

T {x=dict[int,T]} = {{{int}: {focus T}}}

T {x=list[T]} = [{focus T:y=int} for {y} in {iter[int]:-}]

K {x=dict[K,T]} = {{{focus K:y=int}: {T:y=int} for {y} in {iter[int]:-}}}

T {x=list[T]} = list({focus T:y=int} for {y} in {iter[int]:-})

T {x=list[int]} = [{y} for {y} in {iter[int]:-} if {focus T:y=int}]

iter[T] {x=list[T]} = [{T:y=T} for {y} in {focus iter[T]:-}]

iter[T] for {y} in {focus iter[T]}:
    {loop:y=T}

list[T] for {y} in {focus list[T]}:
    {loop:y=T}

list[T] {x=list[T]} = [{T:y=T} for {y} in {focus list[T]:-}]

seq[T] {x=list[T]} = [{T:y=T} for {y} in {focus seq[T]:-}]

seq[T] for {y} in {focus seq[T]}:
    {loop:y=T}

gen[T] for {y} in {focus gen[T]}:
    {loop:y=T}

gen[T] {x=list[T]} = [{T:y=T} for {y} in {focus gen[T]:-}]

gen[T] {x=list[T]} = list({focus gen[T]})

gen[T] {x=T} = next({focus gen[T]}, {T})

gen[T] {x=list[T]} = [*{focus gen[T]}, {T}]

gen[T] {x=gen[T]} = {focus gen[T]}

endless[T] {x=list[T]} = list(islice({focus endless[T]}, {small}))

endless[T] {x=list[tup[int,T]]} = list(zip(({int}, {int}), {focus endless[T]}))

list[T] {x=list[T]} = [*{focus list[T]}, {T}]

seq[T] {x=seq[T]} = (*{focus seq[T]}, {T})

list[T] {x=T} = ({focus list[T]} or [{T}])[0]

list[T] {x=list[T]} = {focus list[T]}[1:]

seq[T] {x=seq[T]} = {focus seq[T]}[::-1]

tup[T,S] {x=T} = {focus tup[T,S]}[0]

tup[T,S] {x=T}, {y=S} = {focus tup[T,S]}

dict[K,T] {x=list[tup[K,T]]} = list({focus dict[K,T]}.items())

list[T] {x=int} = {focus list[T]}.count({T})

set[K] {x=set[K]} = {focus set[K]}.union([{K}])

int {x=list[int]} = [0, 0, 0]
{x}[{focus int} % 3] += {int}

int {x=list[int]} = [0, 0, 0]
{x}[{focus int} % 3] = {int}

int {x=list[int]} = [0, 0]
{x}[0] += {focus int}

int {x=int} = {int}
{x} -= {focus int}

float {x=float} = {float}
{x} += {focus float}

list[T] {x=list[T]} = [{T}]
{x} += {focus list[T]}

T {x=T} = {focus T}

T {y=bool} = ({x=T} := {focus T}) == {T}

T def {f=fn[T]}():
    return {focus T:-}

T def {f=fn[gen[T]]}():
    yield {focus T:-}
    yield {T:-}

iter[T] def {f=fn[gen[T]]}():
    yield from {focus iter[T]:-}

T {x=T} = (lambda: {focus T:-})()

O {x=list[int]} = sorted({iter[int]}, key=lambda {y}: {focus O:y=int})

fn[int,int] {x=list[int]} = sorted({iter[int]}, key={focus fn[int,int]})

fn[S,T] {x=T} = {focus fn[S,T]}({S})

fn[S,T] {x=list[T]} = list(map({focus fn[S,T]}, {iter[S]}))

fn[S,V,T] {x=T} = {focus fn[S,V,T]}({S}, {V})

fn[S,T] {x=fn[S,T]} = {focus fn[S,T]}

T match {focus T}:
    case None:
        {block}
    case {y}:
        {block:y=T}

T match {int}:
    case {y} if {focus T:y=int}:
        {block:y=int}
    case _:
        {block}

T try:
    assert {focus T}
except AssertionError:
    {block}

T try:
    if {focus T} == {T}:
        raise ValueError("no")
except ValueError:
    {block}

T try:
    {x=T} = {focus T}
except {exc}:
    {x=T} = {T}

T try:
    1 // 0
except ZeroDivisionError:
    {x=T} = {focus T}
finally:
    {y=T} = {focus T}

T {focus T}
"""
