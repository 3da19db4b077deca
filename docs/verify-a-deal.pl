#!/usr/bin/perl
# Checks the deals of a king-record/1 without any part of King Arena: perl itself and sha256sum do.
#   perl verify-a-deal.pl RECORD.json [SEASON_SECRET]
# Exit status 0: the cards are as the secrets say; 1: they are not; 2: the file cannot be read, or is no record with its secrets.
use strict;
use warnings FATAL => 'all';

sub sha { my $in = join '', map { sprintf '\\%03o', ord } split //, shift; return pack 'H*', substr `printf '$in' | sha256sum`, 0, 64 }
sub wrong { print "wrong: @_\n"; exit 1 }

sub json {    # reads one value of the text in $_ from where the last one ended
    /\G\s+/gc;
    return { map { @$_ } items('}', sub { my $key = json(); /\G\s*:/gc; return [$key, json()] }) } if /\G\{/gc;
    return [ items(']', \&json) ] if /\G\[/gc;
    return $1 if /\G"((?:[^"\\]|\\.)*)"/gcs or /\G(-?\d[\d.eE+-]*|true|false)/gc;
    return undef if /\Gnull/gc;
    print STDERR 'not JSON at place ', pos // 0, "\n"; exit 2;
}
sub items { my ($end, $read) = @_; my @all; until (/\G[\s,]*\Q$end\E/gc) { /\G[\s,]+/gc; push @all, $read->() } return @all }

sub stream {    # draws from stream $n of the seed: a function of k that gives 0 .. k - 1
    my ($seed, $n) = @_; my ($block, @words) = (0);
    return sub { my $k = shift; while (1) {
        @words = unpack 'N8', sha($seed . pack 'NN', $n, $block++) unless @words;
        my $word = shift @words;
        return $word % $k if $word < 2**32 - 2**32 % $k;
    } };
}

my ($file, $season_secret) = @ARGV; $SIG{__DIE__} = sub { print STDERR 'no whole king-record/1: ', @_; exit 2 };
open my $in, '<', $file // '' or do { print STDERR "usage: perl verify-a-deal.pl RECORD.json [SEASON_SECRET]\n"; exit 2 };
local $/; $_ = <$in> // ''; my $record = json();
my ($seats, @deals) = ref $record eq 'HASH' && ($record->{format} // '') eq 'king-record/1' ? ($record->{seats}, @{ $record->{deals} }) : ();
die "another format, or no deals\n" unless @deals;
my ($secret, $salt, $seed) = map { pack 'H*', $record->{$_} // do { print STDERR "$_ is not public yet\n"; exit 2 } } qw(deal_secret deal_salt deal_seed);

wrong 'deal_commitment' if unpack('H*', sha($secret)) ne $record->{deal_commitment};
wrong 'deal_seed' if sha($secret . $salt) ne $seed;
wrong 'deal_secret is not that of the season' if $season_secret and sha(pack 'H*N', $season_secret, $record->{context}{board}) ne $secret;

my %held = map { $_ => 1 } map { @$_ } @{ $deals[0]{hands} }, $deals[0]{talon};
my @in_order = grep { $held{$_} } map { my $suit = $_; map { "$_$suit" } split //, '23456789TJQKA' } qw(S H D C);
my $lot = stream($seed, 0)->($seats);
for my $n (1 .. @deals) {
    my ($deal, $draw, @pack) = ($deals[$n - 1], stream($seed, $n), @in_order);
    for my $i (reverse 1 .. $#pack) { my $j = $draw->($i + 1); @pack[$i, $j] = @pack[$j, $i] }
    push @pack, splice @pack, 0, 1 + $draw->(@pack - 1);
    my ($dealer, @hands) = ($deal->{dealer}, map { [] } 1 .. $seats);
    my $first = $record->{variant} eq 'chooser-12' ? $deal->{declarer} : $dealer;
    wrong "dealer or chooser of deal $n" if defined $first and $first != ($lot + $n - 1) % $seats;
    my @talon = splice @pack, @pack - @{ $deal->{talon} };
    push @{ $hands[($_ + (defined $dealer ? $dealer + 1 : 0)) % $seats] }, $pack[$_] for 0 .. $#pack;
    wrong "hands of deal $n" if join(' ', map { "@$_" } @hands, \@talon) ne join ' ', map { "@$_" } @{ $deal->{hands} }, $deal->{talon};
}
print scalar @deals, " deals are as the secrets say\n";
